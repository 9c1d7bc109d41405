import CRealtime

/// A point on the host's monotonic clock.
public struct HostTime: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Nanoseconds on the monotonic clock.
    public let rawValue: Int64

    /// The present time.
    public static var now: HostTime { HostTime(rawValue: rt_monotonic_nanoseconds()) }

    /// Creates the point at which the monotonic clock reads `rawValue` nanoseconds.
    @_noLocks @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Whether `left` is smaller.
    @_noLocks @inlinable public static func < (left: HostTime, right: HostTime) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The seconds from `right` to `left`.
    @_noLocks @inlinable public static func - (left: HostTime, right: HostTime) -> Double {
        Double(left.rawValue - right.rawValue) * 1e-9
    }

    /// The point `seconds` later.
    @_noLocks @inlinable public static func + (time: HostTime, seconds: Double) -> HostTime {
        HostTime(rawValue: time.rawValue + nanoseconds(seconds))
    }

    /// A span of `seconds` in whole nanoseconds.
    @_noLocks @inlinable package static func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }
}
