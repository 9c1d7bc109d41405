import BarlineTime
import CKernels

/// A value that moves in a straight line to its target, frame by frame.
///
/// The value is a function of the frame, so that it is the same however the timeline is cut into blocks.
public struct Ramp: BitwiseCopyable, Sendable {
    /// The frame at which the value leaves `origin`.
    public let start: FrameTime
    /// The value up to `start`.
    public let origin: Float
    /// The value from `start + frames` on.
    public let target: Float
    /// The length in frames, 0 or more.
    public let frames: Int64

    /// A value that stays at `value`.
    @_noLocks @inlinable public init(constant value: Float) {
        start = FrameTime(rawValue: 0)
        origin = value
        target = value
        frames = 0
    }

    /// A value that moves from `origin` at `start` to `target` over `frames` frames.
    @_noLocks @inlinable public init(from origin: Float, to target: Float, start: FrameTime, frames: Int64) {
        self.start = start
        self.origin = origin
        self.target = target
        self.frames = frames
    }

    /// The value at `frame`.
    @_noLocks @inlinable public func value(at frame: FrameTime) -> Float {
        let elapsed = frame - start
        if elapsed >= frames { return target }
        if elapsed <= 0 { return origin }
        return origin + (target - origin) * (Float(elapsed) / Float(frames))
    }

    /// The values from `frame` on, as the kernels take them.
    @_noLocks @inlinable package func line(from frame: FrameTime) -> dsp_line {
        dsp_line(origin: origin, target: target, elapsed: frame - start, frames: frames)
    }

    /// Whether the value no longer changes from `frame` on.
    @_noLocks @inlinable public func isSettled(at frame: FrameTime) -> Bool {
        frame - start >= frames || origin == target
    }

    /// The same value up to `frame`, and from there a ramp to `target`.
    @_noLocks @inlinable public func redirected(to target: Float, at frame: FrameTime, frames: Int64) -> Ramp {
        Ramp(from: value(at: frame), to: target, start: frame, frames: frames)
    }
}
