import BarlineDSP
import BarlineTime

/// What a signal goes through on its way to a bus: fader, balance, mute, solo and meter.
struct ChannelStrip: BitwiseCopyable, @unchecked Sendable {
    var gain: Float = 1
    var pan: Float = 0
    var isMuted = false
    var isSoloed = false
    var bus = 0
    /// The bus that the channel is leaving, as long as `busFade` has not settled.
    var previousBus = 0
    var busFade = Ramp(constant: 1)
    /// Where the channel goes when it has arrived on `bus`, or −1.
    var nextBus = -1
    var levelLeft = Ramp(constant: 1)
    var levelRight = Ramp(constant: 1)
    var meter = Meter()

    @_noLocks init() {}

    /// Crossfades to another bus. A crossfade under way is turned round where it leads back, and otherwise finished
    /// first: a channel is never on three buses.
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

    /// The frame at which a move waits to be made, or the end of time.
    var nextMove: FrameTime {
        @_noLocks get { nextBus < 0 ? FrameTime(rawValue: .max) : busFade.start + busFade.frames }
    }

    /// Turns the strip towards what it should be, from `frame` on.
    ///
    /// Pan is a balance: the centre leaves both channels as they are, a side attenuates the other one linearly.
    @_noLocks mutating func updateLevels(isAnySoloed: Bool, at frame: FrameTime, fadeFrames: Int64) {
        let isAudible = !isMuted && (!isAnySoloed || isSoloed)
        let level = isAudible ? gain : 0
        let left = pan > 0 ? level * (1 - pan) : level
        let right = pan < 0 ? level * (1 + pan) : level
        if left != levelLeft.target {
            levelLeft = levelLeft.redirected(to: left, at: frame, frames: fadeFrames)
        }
        if right != levelRight.target {
            levelRight = levelRight.redirected(to: right, at: frame, frames: fadeFrames)
        }
    }
}
