import BarlineDSP
import BarlineTime

/// The actions of the mixer.
extension Mixer {
    /// Performs a mixer command. `fadeFrames` is the length of fades, `rampFrames` that of a parameter's ramp; before
    /// the first frame there is nothing to fade from, and values without a longer ramp are set at once. When all
    /// commands of a frame are performed, ``updateStaleLevels(at:)`` updates the other channels.
    ///
    /// O(1), except for the limiters' settings, and effects, of whose chain it is O(``Chain/placeCount``).
    @_noLocks mutating func perform(
        _ action: Mixer.Action, at now: FrameTime, fadeFrames: Int64, rampFrames: Int64
    ) {
        let fade = now.rawValue == 0 ? 0 : fadeFrames
        switch action {
        case .set(let parameter, let target, let ramp):
            let isOfLevels = set(parameter, to: target, at: now, fadeFrames: fade, rampFrames: rampFrames, ramp)
            if !isOfLevels { return }
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
        case .sendPreFader(let channel, let bus, let isOn):
            send(of: channel, to: bus).pointee.setPreFader(isOn, at: now, fadeFrames: fade)
            return
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

    /// Ramps a parameter; returns whether it is one of a channel's or a bus's own levels.
    @_noLocks private mutating func set(
        _ parameter: ParameterID, to target: Double, at now: FrameTime, fadeFrames: Int64, rampFrames: Int64,
        _ ramp: ParameterRamp
    ) -> Bool {
        switch parameter.place {
        case .channel(let channel):
            let bus = parameter.number - ParameterID.firstSendNumber
            if bus >= 0 {
                setSend(of: channel, to: bus, gain: target, at: now, frames: rampFrames, ramp)
                return false
            }
            strips[channel].set(parameter.number, to: target, at: now, frames: rampFrames, ramp)
            updateLevels(of: channel, at: now, fadeFrames: fadeFrames)
        case .bus(let bus):
            buses[bus].fader.set(target, at: now, frames: rampFrames, ramp)
            isMoving = isMoving || buses[bus].fader.isMoving
        case .effect(let number, let chain):
            chains[chain].set(
                number, parameter: parameter.number, to: target, now: now, frames: rampFrames, ramp.curve)
            return false
        }
        return true
    }

    /// Ramps every strip towards the values requested at the present frame. O(channels), once per frame.
    @_noLocks mutating func updateStaleLevels(at now: FrameTime) {
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
        stripAdvances += 1
        let isAnySoloed = soloCount > 0 && channel != layout.metronome
        strips[channel].updateLevels(isAnySoloed: isAnySoloed, at: now, fadeFrames: fadeFrames)
        isMoving = isMoving || strips[channel].isMoving
    }

    /// Starts the next ramp segment of every moving parameter that is due now.
    @_noLocks mutating func advanceRamps(at now: FrameTime) {
        isMoving = false
        for channel in 0..<channelCount where strips[channel].isMoving {
            if strips[channel].segmentEnd <= now { strips[channel].advanceRamps(at: now) }
            isMoving = isMoving || strips[channel].isMoving
        }
        for channel in 0..<channelCount where strips[channel].hasSends {
            if advanceSends(of: channel, at: now) { isMoving = true }
        }
        for bus in 0..<busCount where buses[bus].fader.isMoving {
            if buses[bus].fader.segmentEnd <= now { buses[bus].fader.advanceRamps(at: now) }
            isMoving = isMoving || buses[bus].fader.isMoving
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
                    next = earlier(next, strips[channel].segmentEnd)
                }
                for channel in 0..<channelCount where strips[channel].hasSends {
                    next = earlier(next, nextSendBoundary(of: channel))
                }
                for bus in 0..<busCount where buses[bus].fader.isMoving {
                    next = earlier(next, buses[bus].fader.segmentEnd)
                }
            }
            return next
        }
    }
}
