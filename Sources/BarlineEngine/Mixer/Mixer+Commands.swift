import BarlineDSP
import BarlineTime

/// The actions of the mixer.
extension Mixer {
    /// Performs a mixer command. `fadeFrames` is the length of fades, `rampFrames` that of a fader's ramp; before the
    /// first frame there is nothing to fade from, and values without a longer ramp are set at once. When all commands
    /// of a frame are performed, ``settleLevels(at:)`` updates the other channels.
    ///
    /// O(1), except for the limiters' settings.
    @_noLocks mutating func perform(
        _ action: Mixer.Action, at now: FrameTime, fadeFrames: Int64, rampFrames: Int64
    ) {
        let fade = now.rawValue == 0 ? 0 : fadeFrames
        switch action {
        case .channelGain(let channel, let gain, let glide):
            strips[channel].set(gain: gain, at: now, frames: rampFrames, glide)
            updateLevels(of: channel, at: now, fadeFrames: fade)
        case .channelPan(let channel, let pan, let glide):
            strips[channel].set(pan: pan, at: now, frames: rampFrames, glide)
            updateLevels(of: channel, at: now, fadeFrames: fade)
        case .channelMute(let channel, let isOn):
            strips[channel].isMuted = isOn
            updateLevels(of: channel, at: now, fadeFrames: fade)
        case .channelSolo(let channel, let isOn):
            if isOn != strips[channel].isSoloed { soloCount += isOn ? 1 : -1 }
            strips[channel].isSoloed = isOn
            updateLevels(of: channel, at: now, fadeFrames: fade)
        case .channelBus(let channel, let bus):
            strips[channel].move(to: bus, at: now, fadeFrames: fade)
            isMoveWaiting = isMoveWaiting || strips[channel].nextBus >= 0
        case .busGain(let bus, let gain, let glide):
            buses[bus].set(gain, at: now, frames: rampFrames, glide)
            isMoving = isMoving || buses[bus].isMoving
        case .limiter(let isOn, let ceiling):
            for bus in 0..<limiterCount { limiters[bus].set(isOn: isOn, ceiling: ceiling) }
            return
        case .resetOvers:
            for bus in 0..<limiterCount { limiters[bus].resetReading() }
            return
        }
        areLevelsStale = true
        staleFade = fade
    }

    /// Ramps every strip towards the values requested at the present frame. O(channels), once per frame.
    @_noLocks mutating func settleLevels(at now: FrameTime) {
        if !areLevelsStale { return }
        areLevelsStale = false
        updateLevels(at: now, fadeFrames: staleFade)
        assert(checkInvariants(), "the mixer's derived state agrees with its strips")
    }

    /// Ramps every strip towards the level given by its fader, pan, mute and all solos.
    @_noLocks mutating func updateLevels(at now: FrameTime, fadeFrames: Int64) {
        for channel in 0..<channelCount { updateLevels(of: channel, at: now, fadeFrames: fadeFrames) }
    }

    @_noLocks private mutating func updateLevels(of channel: Int, at now: FrameTime, fadeFrames: Int64) {
        stripTurns += 1
        let isAnySoloed = soloCount > 0 && channel != layout.metronome
        strips[channel].updateLevels(isAnySoloed: isAnySoloed, at: now, fadeFrames: fadeFrames)
        isMoving = isMoving || strips[channel].isMoving
    }

    /// Starts the next ramp segment of every moving fader that is due now.
    @_noLocks mutating func turn(at now: FrameTime) {
        isMoving = false
        for channel in 0..<channelCount where strips[channel].isMoving {
            if strips[channel].pieceEnd <= now { strips[channel].turn(at: now) }
            isMoving = isMoving || strips[channel].isMoving
        }
        for bus in 0..<busCount where buses[bus].isMoving {
            if buses[bus].pieceEnd <= now { buses[bus].turn(at: now) }
            isMoving = isMoving || buses[bus].isMoving
        }
    }

    /// Reroutes channels that have arrived on one bus to the next.
    @_noLocks mutating func moveChannels(at now: FrameTime, fadeFrames: Int64) {
        isMoveWaiting = false
        for channel in 0..<channelCount {
            if strips[channel].nextMove <= now {
                strips[channel].move(to: strips[channel].nextBus, at: now, fadeFrames: fadeFrames)
            }
            isMoveWaiting = isMoveWaiting || strips[channel].nextBus >= 0
        }
    }

    /// The next frame at which a channel is rerouted or a ramp segment starts; or the end of time.
    var nextMove: FrameTime {
        @_noLocks get {
            var next = FrameTime(rawValue: .max)
            if isMoveWaiting {
                for channel in 0..<channelCount { next = earlier(next, strips[channel].nextMove) }
            }
            if isMoving {
                for channel in 0..<channelCount where strips[channel].isMoving {
                    next = earlier(next, strips[channel].pieceEnd)
                }
                for bus in 0..<busCount where buses[bus].isMoving { next = earlier(next, buses[bus].pieceEnd) }
            }
            return next
        }
    }
}
