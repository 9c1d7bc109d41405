/// A point on the engine's timeline: frames since the engine started.
///
/// Frames are counted at the engine's sample rate. A point is not a span: the difference of two points is a
/// plain `Int64` number of frames, and a point plus a number of frames is a point. What would be beyond the range of
/// `Int64` is its nearest end.
public struct FrameTime: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Frames since the engine started; negative before it.
    public let rawValue: Int64

    /// The first frame the engine renders.
    public static let zero = FrameTime(rawValue: 0)

    /// Creates the point `rawValue` frames after the engine's start.
    @_noLocks @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the point `frames` frames after the engine's start.
    @_noLocks @inlinable public init(_ frames: Int64) { rawValue = frames }

    // The defaults are generic functions, which the audio thread may not call.
    /// Whether both are the same point.
    @_noLocks @inlinable public static func == (left: FrameTime, right: FrameTime) -> Bool {
        left.rawValue == right.rawValue
    }

    /// Whether `left` is smaller.
    @_noLocks @inlinable public static func < (left: FrameTime, right: FrameTime) -> Bool {
        left.rawValue < right.rawValue
    }

    /// Whether `left` is not larger.
    @_noLocks @inlinable public static func <= (left: FrameTime, right: FrameTime) -> Bool {
        left.rawValue <= right.rawValue
    }

    /// Whether `left` is larger.
    @_noLocks @inlinable public static func > (left: FrameTime, right: FrameTime) -> Bool {
        left.rawValue > right.rawValue
    }

    /// Whether `left` is not smaller.
    @_noLocks @inlinable public static func >= (left: FrameTime, right: FrameTime) -> Bool {
        left.rawValue >= right.rawValue
    }

    /// The point `frames` frames later.
    @_noLocks @inlinable public static func + (time: FrameTime, frames: Int64) -> FrameTime {
        FrameTime(rawValue: FrameTime.sum(time.rawValue, frames))
    }

    /// The point `frames` frames earlier.
    @_noLocks @inlinable public static func - (time: FrameTime, frames: Int64) -> FrameTime {
        FrameTime(rawValue: FrameTime.difference(time.rawValue, frames))
    }

    /// The number of frames from `right` to `left`.
    @_noLocks @inlinable public static func - (left: FrameTime, right: FrameTime) -> Int64 {
        difference(left.rawValue, right.rawValue)
    }

    @_noLocks @inlinable static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, isBeyond) = left.addingReportingOverflow(right)
        return isBeyond ? end(isNegative: left < 0) : sum
    }

    @_noLocks @inlinable static func difference(_ left: Int64, _ right: Int64) -> Int64 {
        let (difference, isBeyond) = left.subtractingReportingOverflow(right)
        return isBeyond ? end(isNegative: left < 0) : difference
    }

    @_noLocks @inlinable static func end(isNegative: Bool) -> Int64 { isNegative ? Int64.min : Int64.max }
}

extension FrameTime: CustomStringConvertible {
    /// The frame as text.
    public var description: String { "frame \(rawValue)" }
}
