/// A point on the engine's timeline: frames since the engine started.
///
/// Frames are counted at the engine's sample rate. A point is not a span: the difference of two points is a
/// plain `Int64` number of frames, and a point plus a number of frames is a point.
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
        FrameTime(rawValue: time.rawValue + frames)
    }

    /// The point `frames` frames earlier.
    @_noLocks @inlinable public static func - (time: FrameTime, frames: Int64) -> FrameTime {
        FrameTime(rawValue: time.rawValue - frames)
    }

    /// The number of frames from `right` to `left`.
    @_noLocks @inlinable public static func - (left: FrameTime, right: FrameTime) -> Int64 {
        left.rawValue - right.rawValue
    }
}

extension FrameTime: CustomStringConvertible {
    /// The frame as text.
    public var description: String { "frame \(rawValue)" }
}
