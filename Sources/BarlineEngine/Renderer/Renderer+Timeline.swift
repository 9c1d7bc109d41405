import BarlineDSP
import BarlineTime
import CRealtime

extension Renderer {
    /// Takes what the control side has sent since the last block.
    @_noLocks mutating func takeCommands() {
        takeDeviceChanges()
        while !schedule.isFull, var command = link.commands.pop() {
            if command.frame == Command.nextBlock {
                command.frame = now
                emit(.commandTaken(command.id))
            }
            command.due = command.frame < now ? now : command.frame
            schedule.insert(command)
        }
    }

    /// Takes what the device has changed. It has no place in the ring of commands, which may be full while no device
    /// asks for audio.
    @_noLocks private mutating func takeDeviceChanges() {
        let hertz = link.counters.pointee.deviceRate.exchange(0, ordering: .acquiring)
        if hertz != 0 { changeSampleRate(SampleRate(unchecked: Double(bitPattern: hertz))) }
        if link.counters.pointee.hasRejoined.exchange(false, ordering: .acquiring) {
            mixer.rejoin(at: now, fadeFrames: fadeFrames)
            clock.reset()
        }
    }

    /// Does everything that is due at `now`, in the order in which causes precede effects.
    @_noLocks mutating func handleDue() {
        endVoices()
        if mixer.isMoveWaiting { mixer.moveChannels(at: now, fadeFrames: fadeFrames) }
        while schedule.nextFrame <= now {
            let command = schedule.removeNext()
            let lateness = now - command.frame
            if lateness > 0 { emit(.commandLate(command.id, frames: lateness)) }
            perform(command.action, at: command.frame)
            link.counters.pointee.executed.wrappingAdd(1, ordering: .releasing)
        }
        if isRolling, tempo.segment(at: now).constantFrom == now {
            anchorVoices()
            drawStemLines()
        }
        for index in 0..<trackCount where tracks[index].queue.frame <= now { fireQueue(of: index) }
        if isRolling, queuedTempoFrame <= now {
            queuedTempoFrame = FrameTime(rawValue: .max)
            changeTempo(queuedTempo, rampBeats: 0)
        }
        wrapVoices()
        // Stems that come in may bring their tempo, which moves what is queued.
        handleStemsDue()
        updateLeadIns()
        if hasPlaylist { handlePlaylistDue() }
        // Beats that were passed over are left out, not made up for.
        if isRolling, metronome.plan.nextFrame < now { planBeats() }
        while isRolling, metronome.plan.nextFrame <= now { playClick() }
    }

    /// The frame after `now` at which something is due next.
    @_noLocks func nextDueFrame() -> FrameTime {
        var next = schedule.nextFrame
        if isRolling {
            next = earlier(next, queuedTempoFrame)
            next = earlier(next, metronome.plan.nextFrame)
            let constantFrom = tempo.segment(at: now).constantFrom
            if constantFrom > now { next = earlier(next, constantFrom) }
        }
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
        return next > now ? next : now + 1
    }

    @_noLocks func earlier(_ first: FrameTime, _ second: FrameTime) -> FrameTime { first < second ? first : second }

    // MARK: Transport

    /// Rolls at `frame`, `lead` quarter notes before the grid's origin, beat 0, or as many as the metronome counts in.
    /// With neither it rolls from `entry`, the beat at or after the origin at which something will come in.
    @_noLocks mutating func roll(lead: Double, entry: Double = 0, at frame: FrameTime) {
        let bar = metre.timeSignature(at: Beat(rawValue: 0)).quartersPerBar
        let countIn = Double(metronome.settings.countInBars) * bar
        let first = lead > countIn ? lead : countIn
        roll(
            from: Beat(rawValue: first > 0 ? -first : entry), countIn: countIn, countInEnd: countIn > 0 ? entry : 0,
            at: frame)
    }

    /// Rolls at `frame` from `beat` on.
    @_noLocks mutating func roll(from beat: Beat, countIn: Double = 0, countInEnd: Double = 0, at frame: FrameTime) {
        metronome.countInBeat = Beat(rawValue: -countIn)
        metronome.countInEnd = Beat(rawValue: countInEnd)
        metronome.playedBeat = Metronome.beforeAll
        keepStemPositions()
        tempo.reset(startFrame: frame, startBeat: beat, tempo: tempo.tempo(at: now))
        anchorStems()
        song = SongPosition()
        isRolling = true
        rollFrame = frame
        rollBeat = beat
        planBeats()
        emit(.transportStarted(beat: beat))
    }

    @_noLocks mutating func stopTransport() {
        if !isRolling { return }
        multitrack.leadsTransport = false
        if multitrack.hasGrid { holdStemsHere() }
        for index in 0..<trackCount { stopNow(track: index) }
        anchorVoices()
        for index in 0..<voiceEnd { voices[index].isDetached = true }
        let current = tempo.tempo(at: now)
        metre.reset(to: metre.timeSignature(at: Beat(rawValue: .greatestFiniteMagnitude)))
        isRolling = false
        queuedTempoFrame = FrameTime(rawValue: .max)
        metronome.plan.reset()
        emit(.transportStopped)
        keepStemPositions()
        tempo.reset(startFrame: now, startBeat: Beat(rawValue: 0), tempo: current)
        anchorStems()
    }

    @_noLocks mutating func changeTempo(_ target: Tempo, rampBeats: Double) {
        if isRolling {
            tempo.change(at: now, to: target, overBeats: rampBeats)
            resolveTimeline()
            emit(.tempoChanged(tempo: target, beat: tempo.beat(at: now), rampBeats: rampBeats))
        } else {
            keepStemPositions()
            tempo.reset(startFrame: now, startBeat: Beat(rawValue: 0), tempo: target)
            anchorStems()
            emit(.tempoChanged(tempo: target, beat: Beat(rawValue: 0), rampBeats: 0))
        }
    }

    @_noLocks mutating func changeMetre(_ timeSignature: TimeSignature) {
        if isRolling {
            let line = metre.change(atOrAfter: earliestMetreChange, to: timeSignature)
            resolveTimeline()
            emit(.timeSignatureChanged(timeSignature, beat: line))
        } else {
            metre.reset(to: timeSignature)
            emit(.timeSignatureChanged(timeSignature, beat: Beat(rawValue: 0)))
        }
    }

    /// The beat from which on a bar line may change the metre: a line that was rounded to this frame still may. The
    /// count-in's bars stay as they are, for beat 0 is the origin whatever happens.
    private var earliestMetreChange: Beat {
        @_noLocks get {
            let beat = tempo.beat(at: now)
            if beat.rawValue < 0 { return Beat(rawValue: 0) }
            let line = metre.beat(ofBar: Int64(rt_floor(metre.bars(at: beat))))
            return tempo.frame(of: line) >= now ? line : beat
        }
    }

    @_noLocks mutating func changeSampleRate(_ rate: SampleRate) {
        if rate.hertz == sampleRate.hertz { return }
        for index in 0..<voiceEnd where !voices[index].isFree {
            let sinceLaunch = (Double(now.rawValue) - voices[index].launchFrame) / sampleRate.hertz
            voices[index].launchFrame = Double(now.rawValue) - sinceLaunch * rate.hertz
            if voices[index].content.pointee.isSynced { continue }
            let position = voices[index].position(at: now).frames
            let seconds = position / voices[index].content.pointee.sourceRate
            voices[index].originFrame = Double(now.rawValue) - seconds * rate.hertz
        }
        keepStemPositions()
        tempo.changeSampleRate(at: now, to: rate)
        sampleRate = rate
        anchorStems()
        changeClickRate(to: rate)
        if hasPlaylist { muteOldPlaylistFrames() }
        clock.reset()
        fadeFrames = rate.frames(seconds: Renderer.fadeSeconds)
        mixer.changeSampleRate(to: rate)
        resolveTimeline()
        emit(.sampleRateChanged(rate))
    }

    /// Finds every frame that follows from a beat anew, after tempo, metre or sample rate changed.
    @_noLocks mutating func resolveTimeline() {
        for index in 0..<trackCount { tracks[index].queue.resolve(tempo: tempo, metre: metre, earliest: now) }
        if queuedTempoFrame.rawValue != .max {
            let resolved = tempo.frame(of: queuedTempoBoundary.beat(in: metre))
            queuedTempoFrame = resolved > now ? resolved : now
        }
        if multitrack.isQueued { resolveStemEntry() }
        anchorVoices()
        drawStemLines()
        planBeats()
    }
}
