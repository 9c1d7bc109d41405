import BarlineTime
import CKernels

/// A value that moves in a straight line to its target, frame by frame.
///
/// The value is a function of the frame, so that it is the same however the timeline is cut into blocks.
@usableFromInline package struct Ramp: BitwiseCopyable, Sendable {
    /// The frame at which the value leaves `origin`.
    @usableFromInline package let start: FrameTime
    /// The value up to `start`.
    @usableFromInline package let origin: Float
    /// The value from `start + frames` on.
    @usableFromInline package let target: Float
    /// The length in frames, 0 or more.
    @usableFromInline package let frames: Int64

    /// The length in seconds of every fade that does not specify one: too short to be heard as a fade, long enough not
    /// to click.
    @usableFromInline package static var fadeSeconds: Double { @_noLocks @inlinable get { 0.005 } }

    /// Creates a ramp that stays at `value`.
    @_noLocks @inlinable package init(constant value: Float) {
        start = FrameTime(rawValue: 0)
        origin = value
        target = value
        frames = 0
    }

    /// Creates a ramp from `origin` at `start` to `target` over `frames` frames.
    @_noLocks @inlinable package init(from origin: Float, to target: Float, start: FrameTime, frames: Int64) {
        self.start = start
        self.origin = origin
        self.target = target
        self.frames = frames
    }

    /// The value at `frame`.
    @_noLocks @inlinable package func value(at frame: FrameTime) -> Float {
        let elapsed = frame - start
        if elapsed >= frames { return target }
        if elapsed <= 0 { return origin }
        return origin + (target - origin) * (Float(elapsed) / Float(frames))
    }

    /// The values from `frame` on, in the form the kernels take.
    @_noLocks @inlinable package func line(from frame: FrameTime) -> dsp_line {
        dsp_line(origin: origin, target: target, elapsed: frame - start, frames: frames)
    }

    /// Whether the value no longer changes from `frame` on.
    @_noLocks @inlinable package func isSettled(at frame: FrameTime) -> Bool {
        frame - start >= frames || origin == target
    }

    /// The ramp as it continues from `frame` at another sample rate, `ratio` times the former one: what is left of it
    /// keeps its duration in seconds.
    @_noLocks @inlinable package func stretched(at frame: FrameTime, by ratio: Double) -> Ramp {
        if isSettled(at: frame) { return self }
        let left = Double(start + frames - (frame > start ? frame : start)) * ratio
        let wait = frame > start ? 0 : Int64(Double(start - frame) * ratio + 0.5)
        return Ramp(from: value(at: frame), to: target, start: frame + wait, frames: Int64(left + 0.5))
    }

    /// The same value up to `frame`, and from there a ramp to `target`.
    @_noLocks @inlinable package func redirected(to target: Float, at frame: FrameTime, frames: Int64) -> Ramp {
        Ramp(from: value(at: frame), to: target, start: frame, frames: frames)
    }
}
