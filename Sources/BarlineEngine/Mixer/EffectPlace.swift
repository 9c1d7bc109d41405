import BarlineDSP
import BarlineTime

/// The identity of an effect: its number in commands, and its address.
struct EffectIdentity: BitwiseCopyable, Sendable {
    /// The number that identifies it in commands.
    let number: Int
    /// The address by which it is retired.
    let address: UInt
}

/// An effect in a chain, with its wet share.
struct EffectPlace: BitwiseCopyable, @unchecked Sendable {
    let effect: AnyEffect
    let identity: EffectIdentity
    /// The share of the sound after the effect; the rest is the sound before it.
    private(set) var share: Ramp
    var isBypassed: Bool
    /// Whether it is retired once it has faded out.
    var isLeaving = false
    /// The index that it moves to once it has faded out, or −1.
    var destination = -1
    /// The number of moves requested before its own.
    var moveOrder = 0
    /// The length of the latest fade, in frames.
    private var fadeFrames: Int64
    private var isAtRest = true

    /// Creates a place whose effect fades in at `frame`.
    @_noLocks init(
        _ effect: AnyEffect, _ identity: EffectIdentity, isBypassed: Bool, at frame: FrameTime, fadeFrames: Int64
    ) {
        self.effect = effect
        self.identity = identity
        self.isBypassed = isBypassed
        self.fadeFrames = fadeFrames
        share = Ramp(from: 0, to: isBypassed ? 0 : 1, start: frame, frames: fadeFrames)
    }

    /// Ramps the share to its current target.
    @_noLocks mutating func advanceRamps(at frame: FrameTime, fadeFrames: Int64) {
        let target: Float = isBypassed || isLeaving || destination >= 0 ? 0 : 1
        self.fadeFrames = fadeFrames
        if target == share.target { return }
        // The state from before the bypass does not belong to the present sound.
        if share.target == 0, share.isSettled(at: frame) {
            _ = effect.run(.reset)
            isAtRest = false
        }
        share = share.redirected(to: target, at: frame, frames: fadeFrames)
    }

    /// Continues from `frame` at another sample rate, `ratio` times the former one; fades keep their duration in
    /// seconds.
    @_noLocks mutating func stretch(at frame: FrameTime, by ratio: Double) {
        share = share.stretched(at: frame, by: ratio)
        fadeFrames = Int64(Double(fadeFrames) * ratio + 0.5)
    }

    /// The place of an effect that has faded out and fades in elsewhere at `frame`.
    @_noLocks func arrived(at frame: FrameTime) -> EffectPlace {
        EffectPlace(effect, identity, isBypassed: isBypassed, at: frame, fadeFrames: fadeFrames)
    }

    /// Whether silence would come out as silence, and no fade-out is pending.
    @_noLocks func isIdle(at frame: FrameTime) -> Bool {
        if isLeaving || destination >= 0 { return false }
        return isAtRest || (share.target == 0 && share.isSettled(at: frame))
    }

    /// Whether the invariants hold: the effect is audible unless there is a reason not to be, and leaves or moves, not
    /// both.
    @_noLocks func checkInvariants() -> Bool {
        let isMoving = destination >= 0
        if isLeaving, isMoving { return false }
        let isAudible = !(isBypassed || isLeaving || isMoving)
        return share.target == (isAudible ? 1 : 0) && fadeFrames >= 0 && effect.run(.checkInvariants)
    }

    /// Processes frames within which no fade ends.
    @_noLocks mutating func process(_ signal: StereoBuffer, from start: FrameTime, count: Int, dry: StereoBuffer) {
        if share.isSettled(at: start) {
            if share.target == 1 { isAtRest = effect.run(.process(signal, from: start, count: count)) }
            return
        }
        for frame in 0..<count {
            dry.left[frame] = signal.left[frame]
            dry.right[frame] = signal.right[frame]
        }
        isAtRest = effect.run(.process(signal, from: start, count: count))
        for frame in 0..<count {
            let share = share.value(at: start + Int64(frame))
            signal.left[frame] = dry.left[frame] + (signal.left[frame] - dry.left[frame]) * share
            signal.right[frame] = dry.right[frame] + (signal.right[frame] - dry.right[frame]) * share
        }
    }
}
