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

    /// The seconds from `right` to `left`; 292 years where it is more.
    @_noLocks @inlinable public static func - (left: HostTime, right: HostTime) -> Double {
        Double(FrameTime.difference(left.rawValue, right.rawValue)) * 1e-9
    }

    /// The point `seconds` later: the first or the last that there is where that is beyond, and the same for NaN.
    @_noLocks @inlinable public static func + (time: HostTime, seconds: Double) -> HostTime {
        let span = nanoseconds(seconds)
        if span == Int64.max || span == Int64.min { return HostTime(rawValue: span) }
        return HostTime(rawValue: FrameTime.sum(time.rawValue, span))
    }

    /// A span of `seconds` in whole nanoseconds: of more than there are, as many as there are, of NaN none.
    @_noLocks @inlinable package static func nanoseconds(_ seconds: Double) -> Int64 {
        let count = seconds * 1e9
        if count > -0x1p63, count < 0x1p63 { return Int64(count) }
        return count.isNaN ? 0 : FrameTime.end(isNegative: count < 0)
    }
}
