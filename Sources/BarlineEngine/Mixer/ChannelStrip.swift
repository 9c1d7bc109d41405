import BarlineDSP
import BarlineTime

/// A channel strip of the mixer: fader, pan, mute, solo and meter, routed to a bus.
struct ChannelStrip: BitwiseCopyable, @unchecked Sendable {
    var gain: Float = 1
    var pan: Float = 0
    var isMuted = false
    var isSoloed = false
    var bus = 0
    /// The bus that the channel is leaving, until `busFade` has settled.
    var previousBus = 0
    var busFade = Ramp(constant: 1)
    /// The bus to route the channel to once it has arrived on `bus`, or −1.
    var nextBus = -1
    var levelLeft = Ramp(constant: 1)
    var levelRight = Ramp(constant: 1)
    /// The fader and pan ramps and how much of the channel is audible, which the levels follow while `isMoving`.
    var fader = Tween(1)
    var balance = Tween(0)
    private var audibility = Ramp(constant: 1)
    private(set) var isMoving = false
    /// The end of the ramp segment that the levels are on.
    private(set) var pieceEnd = FrameTime(rawValue: 0)
    var meter = Meter()
    /// The number of inputs that record it.
    var taps = 0

    @_noLocks init() {}

    /// Whether the invariants hold: fader and pan are within range and end at their targets, and the meter is valid.
    @_noLocks func checkInvariants() -> Bool {
        let isAudible = audibility.target == 0 || audibility.target == 1
        return gain >= 0 && pan >= -1 && pan <= 1 && isAudible && levelLeft.target >= 0 && levelRight.target >= 0
            && fader.target == Double(gain) && balance.target == Double(pan) && meter.checkInvariants()
    }

    /// Crossfades to another bus. If it returns to the previous bus, a crossfade in progress is reversed, otherwise
    /// finished first: a channel is never on three buses.
    @_noLocks mutating func move(to target: Int, at frame: FrameTime, fadeFrames: Int64) {
        let isSettled = busFade.isSettled(at: frame)
        nextBus = -1
        if target == bus { return }
        if !isSettled, target != previousBus {
            nextBus = target
            return
        }
        let share = isSettled ? 0 : 1 - busFade.value(at: frame)
        previousBus = bus
        bus = target
        busFade = Ramp(from: share, to: 1, start: frame, frames: fadeFrames)
    }

    /// The frame at which a deferred move is due, or the end of time.
    var nextMove: FrameTime {
        @_noLocks get { nextBus < 0 ? FrameTime(rawValue: .max) : busFade.start + busFade.frames }
    }

    /// Ramps the fader to `gain`.
    @_noLocks mutating func set(gain: Float, at frame: FrameTime, frames: Int64, _ glide: Glide) {
        self.gain = gain
        fader.send(to: Double(gain), at: frame, frames: frames, glide.curve)
        isMoving = isMoving || glide.isTween
    }

    /// Ramps the pan to `pan`.
    @_noLocks mutating func set(pan: Float, at frame: FrameTime, frames: Int64, _ glide: Glide) {
        self.pan = pan
        balance.send(to: Double(pan), at: frame, frames: frames, .linear)
        isMoving = isMoving || glide.isTween
    }

    /// Ramps the levels towards their targets, from `frame` on.
    @_noLocks mutating func updateLevels(isAnySoloed: Bool, at frame: FrameTime, fadeFrames: Int64) {
        let isAudible = !isMuted && (!isAnySoloed || isSoloed)
        let share: Float = isAudible ? 1 : 0
        if share != audibility.target {
            audibility = audibility.redirected(to: share, at: frame, frames: fadeFrames)
        }
        if isMoving {
            turn(at: frame)
            return
        }
        let level = isAudible ? gain : 0
        let left = ChannelStrip.left(level, pan)
        let right = ChannelStrip.right(level, pan)
        if left != levelLeft.target {
            levelLeft = levelLeft.redirected(to: left, at: frame, frames: fadeFrames)
        }
        if right != levelRight.target {
            levelRight = levelRight.redirected(to: right, at: frame, frames: fadeFrames)
        }
    }

    /// Starts the next ramp segment: a straight line to the values at the end of the current ``EffectBlock/frameCount``
    /// block, which is fixed on the timeline, or at the end of a ramp that settles before.
    @_noLocks mutating func turn(at frame: FrameTime) {
        if fader.isSettled(at: frame), balance.isSettled(at: frame), audibility.isSettled(at: frame) {
            isMoving = false
            return
        }
        pieceEnd = EffectBlock.start(of: frame) + Int64(EffectBlock.frameCount)
        if fader.end > frame { pieceEnd = earlier(pieceEnd, fader.end) }
        if balance.end > frame { pieceEnd = earlier(pieceEnd, balance.end) }
        let audibleFrom = audibility.start + audibility.frames
        if audibleFrom > frame { pieceEnd = earlier(pieceEnd, audibleFrom) }
        let level = Float(fader.value(at: pieceEnd)) * audibility.value(at: pieceEnd)
        let pan = Float(balance.value(at: pieceEnd))
        let count = pieceEnd - frame
        levelLeft = levelLeft.redirected(to: ChannelStrip.left(level, pan), at: frame, frames: count)
        levelRight = levelRight.redirected(to: ChannelStrip.right(level, pan), at: frame, frames: count)
    }

    /// Continues at another sample rate, `ratio` times the former.
    @_noLocks mutating func stretch(at frame: FrameTime, by ratio: Double) {
        fader.stretch(at: frame, by: ratio)
        balance.stretch(at: frame, by: ratio)
        if isMoving { turn(at: frame) }
    }

    // Pan is a balance: the centre leaves both channels unchanged, a side attenuates the other one linearly.

    @_noLocks private static func left(_ level: Float, _ pan: Float) -> Float { pan > 0 ? level * (1 - pan) : level }

    @_noLocks private static func right(_ level: Float, _ pan: Float) -> Float { pan < 0 ? level * (1 + pan) : level }
}
