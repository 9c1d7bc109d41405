import BarlineDSP
import BarlineTime

/// An output pair: the sum of its tracks.
struct BusState: BitwiseCopyable, @unchecked Sendable {
    var level = Ramp(constant: 1)
    /// The fader's ramp, which `level` follows while `isMoving`.
    var fader = Tween(1)
    var isMoving = false
    /// The end of the ramp segment that `level` is on.
    var pieceEnd = FrameTime(rawValue: 0)
    var meter = Meter()

    @_noLocks init() {}

    /// Whether the invariants hold: the fader's target is 0 or more, and `level` ends there unless it is moving.
    @_noLocks func checkInvariants() -> Bool {
        fader.target >= 0 && level.target >= 0 && (isMoving || level.target == Float(fader.target))
            && meter.checkInvariants()
    }

    /// Ramps the fader to `gain`.
    @_noLocks mutating func set(_ gain: Float, at frame: FrameTime, frames: Int64, _ glide: Glide) {
        fader.send(to: Double(gain), at: frame, frames: frames, glide.curve)
        isMoving = isMoving || glide.isTween
        if isMoving { turn(at: frame) } else { level = level.redirected(to: gain, at: frame, frames: frames) }
    }

    /// Continues at another sample rate, `ratio` times the former.
    @_noLocks mutating func stretch(at frame: FrameTime, by ratio: Double) {
        fader.stretch(at: frame, by: ratio)
        if isMoving { turn(at: frame) }
    }

    /// Starts the next ramp segment of the fader.
    @_noLocks mutating func turn(at frame: FrameTime) {
        if fader.isSettled(at: frame) {
            isMoving = false
            return
        }
        pieceEnd = earlier(fader.end, EffectBlock.start(of: frame) + Int64(EffectBlock.frameCount))
        level = level.redirected(
            to: Float(fader.value(at: pieceEnd)), at: frame, frames: pieceEnd - frame)
    }
}
