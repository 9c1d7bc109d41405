import BarlineDSP
import BarlineTime

extension Renderer {
    /// Takes what the control side has sent since the last block.
    @_noLocks mutating func takeCommands() {
        takeDeviceChanges()
        while !schedule.isFull, var command = link.commands.pop() {
            if command.frame == Command.nextBlock {
                command.frame = timeline.now
                emit(.commandTaken(command.id))
            }
            command.due = command.frame < timeline.now ? timeline.now : command.frame
            schedule.insert(command)
        }
    }

    /// Takes what the device has changed. It has no place in the ring of commands, which may be full while no device
    /// asks for audio.
    @_noLocks private mutating func takeDeviceChanges() {
        let hertz = link.counters.pointee.deviceRate.exchange(0, ordering: .acquiring)
        let rate = SampleRate(unchecked: Double(bitPattern: hertz))
        if hertz != 0, rate.hertz != timeline.sampleRate.hertz { give(timeline.changeSampleRate(to: rate)) }
        if link.counters.pointee.hasRejoined.exchange(false, ordering: .acquiring) {
            mixer.rejoin(at: timeline.now, fadeFrames: timeline.fadeFrames)
            timeline.forgetDeviceClock()
        }
    }

    /// Does everything that is due at `now`, in the order in which causes precede effects.
    @_noLocks mutating func handleDue() {
        endVoices()
        if mixer.isMoveWaiting { mixer.moveChannels(at: timeline.now, fadeFrames: timeline.fadeFrames) }
        while schedule.nextFrame <= timeline.now {
            let command = schedule.removeNext()
            let lateness = timeline.now - command.frame
            if lateness > 0 { emit(.commandLate(command.id, frames: lateness)) }
            perform(command.action, at: command.frame)
            link.counters.pointee.executed.wrappingAdd(1, ordering: .releasing)
        }
        if let retiming = timeline.settle() { give(retiming) }
        for index in 0..<trackCount where tracks[index].queue.frame <= timeline.now { fireQueue(of: index) }
        if let retiming = timeline.takeQueuedTempo() { give(retiming) }
        wrapVoices()
        // Stems that come in may bring their tempo, which moves what is queued.
        handleStemsDue()
        updateLeadIns()
        if hasPlaylist { handlePlaylistDue() }
        // Beats that were passed over are left out, not made up for.
        if timeline.isRolling, metronome.plan.nextFrame < timeline.now { planBeats() }
        while timeline.isRolling, metronome.plan.nextFrame <= timeline.now { playClick() }
    }

    /// The frame after `now` at which something is due next.
    @_noLocks func nextDueFrame() -> FrameTime {
        var next = earlier(schedule.nextFrame, timeline.nextDue())
        if timeline.isRolling { next = earlier(next, metronome.plan.nextFrame) }
        for index in 0..<trackCount { next = earlier(next, earlier(tracks[index].queue.frame, nextLeadIn(on: index))) }
        next = earlier(next, nextStemFrame())
        if hasPlaylist { next = earlier(next, nextPlaylistFrame()) }
        next = earlier(next, mixer.nextMove)
        for index in 0..<voiceEnd {
            switch voices[index].phase {
            case .free, .leading: break
            case .playing:
                next = earlier(next, voices[index].nextWrap)
                next = earlier(next, nextEndFrame(of: voices[index]))
            case .fading:
                let envelope = voices[index].envelope
                next = earlier(next, envelope.start + envelope.frames)
            }
        }
        return next > timeline.now ? next : timeline.now + 1
    }

    @_noLocks func earlier(_ first: FrameTime, _ second: FrameTime) -> FrameTime { first < second ? first : second }

    // MARK: Retiming

    /// Gives a change of the timeline to all that lies on it, and tells of it. Stems come first: where they lead the
    /// transport they stop before clips do.
    @_noLocks mutating func give(_ retiming: Retiming) {
        retimeStems(retiming)
        retimeVoices(retiming)
        retimeBeats(retiming)
        retimePlaylist(retiming)
        if case .sampleRate = retiming.change { mixer.changeSampleRate(to: retiming.to.sampleRate) }
        if let event = retiming.event { emit(event) }
    }

    @_noLocks mutating func stopTransport() { if timeline.isRolling { give(timeline.stop()) } }
}
