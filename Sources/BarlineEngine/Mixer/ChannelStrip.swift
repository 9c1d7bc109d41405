import BarlineDSP
import BarlineTime

/// A channel strip of the mixer: fader, pan, mute, solo and meter, routed to a bus; its sends are the mixer's.
struct ChannelStrip: BitwiseCopyable, @unchecked Sendable {
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
    /// The fader, the pan, and how much of the channel is audible, which the levels follow while `isMoving`.
    private var gain = Parameter(1)
    private var pan = Parameter(0, of: .balance)
    private(set) var audibility = Ramp(constant: 1)
    private(set) var isMoving = false
    /// The end of the ramp segment that the levels are on.
    private(set) var segmentEnd = FrameTime(rawValue: 0)
    /// Whether one of its sends may be above 0.
    var hasSends = false
    var meter = Meter()
    /// The number of inputs that record it.
    var taps = 0

    @_noLocks init() {}

    /// Whether the invariants hold: fader and pan are within range and end at their targets, and the meter is valid.
    @_noLocks func checkInvariants() -> Bool {
        let isAudible = audibility.target == 0 || audibility.target == 1
        return gain.target >= 0 && pan.target >= -1 && pan.target <= 1 && isAudible && levelLeft.target >= 0
            && levelRight.target >= 0 && meter.checkInvariants()
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

    /// Ramps the parameter of a number, one of ``ParameterID``'s, to a target.
    @_noLocks mutating func set(
        _ parameter: Int, to target: Double, at frame: FrameTime, frames: Int64, _ ramp: ParameterRamp
    ) {
        switch parameter {
        case ParameterID.gainNumber: gain.set(target, at: frame, frames: frames, ramp.curve)
        case ParameterID.panNumber: pan.set(target, at: frame, frames: frames, ramp.curve)
        default:
            assert(false, "a channel has a gain and a pan")
            return
        }
        isMoving = isMoving || ramp.hasLength
    }

    /// Ramps the levels towards their targets, from `frame` on.
    @_noLocks mutating func updateLevels(isAnySoloed: Bool, at frame: FrameTime, fadeFrames: Int64) {
        let isAudible = !isMuted && (!isAnySoloed || isSoloed)
        let share: Float = isAudible ? 1 : 0
        if share != audibility.target {
            audibility = audibility.redirected(to: share, at: frame, frames: fadeFrames)
        }
        if isMoving {
            advanceRamps(at: frame)
            return
        }
        let level = isAudible ? Float(gain.target) : 0
        let left = ChannelStrip.left(level, Float(pan.target))
        let right = ChannelStrip.right(level, Float(pan.target))
        if left != levelLeft.target {
            levelLeft = levelLeft.redirected(to: left, at: frame, frames: fadeFrames)
        }
        if right != levelRight.target {
            levelRight = levelRight.redirected(to: right, at: frame, frames: fadeFrames)
        }
    }

    /// Starts the next ramp segment: a straight line to the values at the end of the current ``EffectBlock/frameCount``
    /// block, which is fixed on the timeline, or at the end of a ramp that settles before.
    @_noLocks mutating func advanceRamps(at frame: FrameTime) {
        if gain.isSettled(at: frame), pan.isSettled(at: frame), audibility.isSettled(at: frame) {
            isMoving = false
            return
        }
        segmentEnd = EffectBlock.start(of: frame) + Int64(EffectBlock.frameCount)
        if gain.end > frame { segmentEnd = earlier(segmentEnd, gain.end) }
        if pan.end > frame { segmentEnd = earlier(segmentEnd, pan.end) }
        let audibleFrom = audibility.start + audibility.frames
        if audibleFrom > frame { segmentEnd = earlier(segmentEnd, audibleFrom) }
        let level = Float(gain.value(at: segmentEnd)) * audibility.value(at: segmentEnd)
        let pan = Float(pan.value(at: segmentEnd))
        let count = segmentEnd - frame
        levelLeft = levelLeft.redirected(to: ChannelStrip.left(level, pan), at: frame, frames: count)
        levelRight = levelRight.redirected(to: ChannelStrip.right(level, pan), at: frame, frames: count)
    }

    /// Continues at another sample rate, `ratio` times the former.
    @_noLocks mutating func stretch(at frame: FrameTime, by ratio: Double) {
        gain.stretch(at: frame, by: ratio)
        pan.stretch(at: frame, by: ratio)
        if isMoving { advanceRamps(at: frame) }
    }

    // Pan is a balance: the centre leaves both channels unchanged, a side attenuates the other one linearly.

    @_noLocks private static func left(_ level: Float, _ pan: Float) -> Float { pan > 0 ? level * (1 - pan) : level }

    @_noLocks private static func right(_ level: Float, _ pan: Float) -> Float { pan < 0 ? level * (1 + pan) : level }
}
