import BarlineDSP
import BarlineTime
import CKernels

/// The left and right buffers of one slice in the mixer; does not own its memory.
struct StereoBuffer: BitwiseCopyable, @unchecked Sendable {
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>

    @_noLocks init(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        self.left = left
        self.right = right
    }

    @_noLocks func clear(_ count: Int) {
        dsp_clear(left, count)
        dsp_clear(right, count)
    }

    /// The number of silent frames at the end of the first `count`.
    @_noLocks func silentFramesAtEnd(of count: Int) -> Int {
        var silent = 0
        while silent < count, left[count - 1 - silent] == 0, right[count - 1 - silent] == 0 { silent += 1 }
        return silent
    }

    /// Multiplies both channels by the same level.
    @_noLocks func apply(_ level: Ramp, at start: FrameTime, _ count: Int) {
        StereoBuffer.apply(level, to: left, at: start, count)
        StereoBuffer.apply(level, to: right, at: start, count)
    }

    /// Multiplies each channel by its own level.
    @_noLocks func apply(left levelLeft: Ramp, right levelRight: Ramp, at start: FrameTime, _ count: Int) {
        StereoBuffer.apply(levelLeft, to: left, at: start, count)
        StereoBuffer.apply(levelRight, to: right, at: start, count)
    }

    /// Adds `other`.
    @_noLocks func add(_ other: StereoBuffer, _ count: Int) {
        dsp_add(other.left, left, count)
        dsp_add(other.right, right, count)
    }

    /// Adds `other` at a constant gain.
    @_noLocks func add(_ other: StereoBuffer, gain: Float, _ count: Int) {
        dsp_add_scaled(other.left, gain, left, count)
        dsp_add_scaled(other.right, gain, right, count)
    }

    /// Replaces the contents with `other` at a constant gain, as if after a ``clear(_:)``.
    @_noLocks func set(_ other: StereoBuffer, gain: Float, _ count: Int) {
        dsp_write_scaled(other.left, gain, left, count)
        dsp_write_scaled(other.right, gain, right, count)
    }

    /// Replaces the contents with the first `count` frames of `region` at a constant gain, as if after a ``clear(_:)``.
    @_noLocks func set(_ region: SourceRegion, gain: Float, _ count: Int) {
        dsp_write_scaled(region.left, gain, left, count)
        dsp_write_scaled(region.right, gain, right, count)
    }

    /// Adds `other` at the product of three gains, each of which may ramp.
    @_noLocks func add(
        _ other: StereoBuffer, gains first: Ramp, _ second: Ramp, _ third: Ramp = Ramp(constant: 1),
        at start: FrameTime, _ count: Int
    ) {
        dsp_add_along(
            other.left, other.right, first.line(from: start), second.line(from: start), third.line(from: start), left,
            right, count)
    }

    /// Adds `other`, faded in along `fade`, or faded out if `isLeaving`.
    @_noLocks func add(_ other: StereoBuffer, fade: Ramp, isLeaving: Bool, at start: FrameTime, _ count: Int) {
        dsp_add_faded(other.left, other.right, fade.line(from: start), isLeaving, left, right, count)
    }

    @_noLocks private static func apply(
        _ level: Ramp, to samples: UnsafeMutablePointer<Float>, at start: FrameTime, _ count: Int
    ) {
        if level.isSettled(at: start) {
            let target = level.target
            if target == 1 { return }
            dsp_scale(samples, target, count)
        } else {
            dsp_scale_along(samples, level.line(from: start), count)
        }
    }
}
