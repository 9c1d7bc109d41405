import BarlineDSP
import BarlineTime

/// What the mixer is told to do.
extension Mixer {
    /// Performs a command of the mixer's. `fadeFrames` is the length of its ramps; before the first frame there is
    /// nothing to ramp from, and the mixer is set, not moved.
    @_noLocks mutating func perform(_ action: MixerAction, at now: FrameTime, fadeFrames: Int64) {
        let rampFrames = now.rawValue == 0 ? 0 : fadeFrames
        switch action {
        case .channelGain(let channel, let gain): strips[channel].gain = gain
        case .channelPan(let channel, let pan): strips[channel].pan = pan
        case .channelMute(let channel, let isOn): strips[channel].isMuted = isOn
        case .channelSolo(let channel, let isOn): strips[channel].isSoloed = isOn
        case .channelBus(let channel, let bus):
            strips[channel].move(to: bus, at: now, fadeFrames: rampFrames)
            isMoveWaiting = isMoveWaiting || strips[channel].nextBus >= 0
        case .busGain(let bus, let gain):
            buses[bus].level = buses[bus].level.redirected(to: gain, at: now, frames: rampFrames)
        case .limiter(let isOn, let ceiling):
            for bus in 0..<limiterCount { limiters[bus].set(isOn: isOn, ceiling: ceiling) }
            return
        case .resetOvers:
            for bus in 0..<limiterCount { limiters[bus].resetReading() }
            return
        }
        updateLevels(at: now, fadeFrames: rampFrames)
        assert(checkInvariants(), "the mixer's derived state agrees with its strips")
    }

    /// Turns every strip towards what its fader, balance, mute and the solos of all ask for.
    @_noLocks func updateLevels(at now: FrameTime, fadeFrames: Int64) {
        var isAnySoloed = false
        for channel in 0..<channelCount where strips[channel].isSoloed { isAnySoloed = true }
        for channel in 0..<channelCount {
            let isOthersSoloed = isAnySoloed && channel != layout.metronome
            strips[channel].updateLevels(isAnySoloed: isOthersSoloed, at: now, fadeFrames: fadeFrames)
        }
    }

    /// Sends channels that have arrived on one bus on to the next.
    @_noLocks mutating func moveChannels(at now: FrameTime, fadeFrames: Int64) {
        isMoveWaiting = false
        for channel in 0..<channelCount {
            if strips[channel].nextMove <= now {
                strips[channel].move(to: strips[channel].nextBus, at: now, fadeFrames: fadeFrames)
            }
            isMoveWaiting = isMoveWaiting || strips[channel].nextBus >= 0
        }
    }

    /// The frame at which a channel goes on to another bus next, or the end of time.
    var nextMove: FrameTime {
        @_noLocks get {
            var next = FrameTime(rawValue: .max)
            if !isMoveWaiting { return next }
            for channel in 0..<channelCount where strips[channel].nextMove < next { next = strips[channel].nextMove }
            return next
        }
    }
}
