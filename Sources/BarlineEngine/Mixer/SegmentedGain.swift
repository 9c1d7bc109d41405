import BarlineDSP
import BarlineTime

/// A gain that follows a ``Parameter`` in straight segments: for the audio thread, which multiplies by a ``Ramp``.
///
/// A change without a length is one ramp; one with a length is followed in segments that end at multiples of
/// ``EffectBlock/frameCount`` on the timeline, or with the parameter's own ramp. Whoever has it calls
/// ``advanceRamps(at:)`` at every ``segmentEnd`` while ``isMoving``.
struct SegmentedGain: BitwiseCopyable, Sendable {
    /// The gain, frame by frame.
    private(set) var level: Ramp
    /// What ``level`` follows while ``isMoving``.
    private(set) var parameter: Parameter
    private(set) var isMoving = false
    /// The end of the segment that ``level`` is on.
    private(set) var segmentEnd = FrameTime(rawValue: 0)

    /// Creates a constant gain.
    @_noLocks init(_ gain: Float) {
        level = Ramp(constant: gain)
        parameter = Parameter(Double(gain))
    }

    /// Whether it is 0 from `frame` on.
    @_noLocks func isSilent(at frame: FrameTime) -> Bool {
        !isMoving && level.target == 0 && level.isSettled(at: frame)
    }

    /// Ramps to `gain`.
    @_noLocks mutating func set(_ gain: Double, at frame: FrameTime, frames: Int64, _ ramp: ParameterRamp) {
        parameter.set(gain, at: frame, frames: frames, ramp.curve)
        isMoving = isMoving || ramp.hasLength
        if isMoving {
            advanceRamps(at: frame)
        } else {
            level = level.redirected(to: Float(gain), at: frame, frames: frames)
        }
    }

    /// Continues at another sample rate, `ratio` times the former.
    @_noLocks mutating func stretch(at frame: FrameTime, by ratio: Double) {
        parameter.stretch(at: frame, by: ratio)
        if isMoving { advanceRamps(at: frame) }
    }

    /// Starts the next segment.
    @_noLocks mutating func advanceRamps(at frame: FrameTime) {
        if parameter.isSettled(at: frame) {
            isMoving = false
            return
        }
        segmentEnd = earlier(parameter.end, EffectBlock.start(of: frame) + Int64(EffectBlock.frameCount))
        level = level.redirected(
            to: Float(parameter.value(at: segmentEnd)), at: frame, frames: segmentEnd - frame)
    }

    /// Whether the invariants hold: it is 0 or more, and ends at the parameter's target.
    @_noLocks func checkInvariants() -> Bool {
        parameter.checkInvariants() && parameter.target >= 0 && level.target >= 0
            && (isMoving || level.target == Float(parameter.target))
    }
}
