import BarlineDSP
import BarlineTime
import CRealtime

extension Renderer {
    /// Starts `clip` now, its phase based on the boundary's beat. What played on the track fades out.
    @_noLocks mutating func startClip(_ clip: Int, on track: Int, boundary: Beat, isOnTime: Bool) {
        guard let content = clips[clip] else { return }
        var (voice, offset) = cue(clip, content, on: track, boundary: boundary)
        let lead = tracks[track].lead
        let isLed = lead >= 0 && isLeadIn(voices[lead], of: voice)
        let index = isLed ? lead : freeVoice()
        if index < 0 {
            emit(.voicesExhausted(clip: ClipHandle(clip), track: TrackIndex(track)))
            return
        }
        if isLed {
            tracks[track].lead = -1
            voice.envelope = voices[lead].envelope
            voice.gain = voices[lead].gain
            voice.isEarly = voices[lead].isEarly
        } else if isOnTime, isFirstFrame(offset) {
            voice.envelope = bareEntrance(of: content)
        } else {
            voice.envelope = Ramp(from: 0, to: 1, start: timeline.now, frames: timeline.fadeFrames)
        }
        voice.phase = .playing
        stopVoice(of: track)
        voices[index] = voice
        tracks[track].voice = index
        anchor(voice: index)
        findIteration(ofVoice: index)
        emit(
            .clipStarted(
                clip: ClipHandle(clip), track: TrackIndex(track),
                beat: isOnTime ? boundary : timeline.tempo.beat(at: timeline.now),
                sourceFrame: sourcePosition(ofVoice: index)))
    }

    /// A voice that starts `clip` on a boundary, and how far into the clip that is, in source frames.
    @_noLocks func cue(
        _ clip: Int, _ content: UnsafePointer<ClipContent>, on track: Int, boundary: Beat
    ) -> (voice: ClipVoice, offset: Double) {
        var voice = ClipVoice(content: content)
        voice.clip = clip
        voice.gain = Ramp(constant: content.pointee.gain)
        let offset = setOrigin(of: &voice, on: track, boundary: boundary)
        return (voice, offset)
    }

    /// Sets where the clip is at its first frame, and returns how far into the clip the boundary is, in source frames.
    @_noLocks private func setOrigin(of voice: inout ClipVoice, on track: Int, boundary: Beat) -> Double {
        let content = voice.content.pointee
        let outgoing = tracks[track].voice
        voice.launchBeat = boundary
        voice.launchFrame = timeline.tempo.exactFrame(of: boundary)
        if content.isSynced {
            switch content.startPosition {
            case .fromStart: voice.originBeat = boundary
            case .synced: voice.originBeat = Beat(rawValue: 0)
            case .legato: voice.originBeat = outgoing < 0 ? boundary : legatoOrigin(voices[outgoing], at: boundary)
            }
            let turns = (boundary - voice.originBeat) / content.beats
            voice.originBeat = voice.originBeat - content.firstBeat
            if !content.loops { return turns * Double(content.region.length) }
            return (turns - rt_floor(turns + 1e-12)) * Double(content.region.length)
        }
        let start = voice.launchFrame
        switch content.startPosition {
        case .fromStart: voice.originFrame = start
        case .synced: voice.originFrame = timeline.tempo.exactFrame(of: Beat(rawValue: 0))
        case .legato:
            voice.originFrame = start
            if outgoing >= 0 {
                let seconds = sourcePosition(ofVoice: outgoing) / voices[outgoing].content.pointee.sourceRate
                voice.originFrame = start - seconds * timeline.sampleRate.hertz
            }
        }
        return (start - voice.originFrame) * content.sourceRate / timeline.sampleRate.hertz
    }

    /// Where the first beat of a clip is that has the position, in beats, that `outgoing` has within its loop at `boundary`.
    @_noLocks private func legatoOrigin(_ outgoing: ClipVoice, at boundary: Beat) -> Beat {
        let content = outgoing.content.pointee
        if !content.isSynced { return boundary }
        let first = outgoing.originBeat + content.firstBeat
        let turns = rt_floor((boundary - first) / content.beats + 1e-12)
        return content.loops ? first + turns * content.beats : first
    }

    /// The lowest free place of the pool, so that which one it is depends on the timeline alone; −1 where none is.
    @_noLocks mutating func freeVoice() -> Int {
        for index in 0..<voiceEnd where voices[index].isFree { return index }
        if voiceEnd == voiceCount { return -1 }
        voiceEnd += 1
        return voiceEnd - 1
    }

    /// Crossfades a playing voice to its clip's new content: at the same origin, or at that of another start position
    /// or measure.
    @_noLocks mutating func replaceContent(ofVoice index: Int, on track: Int) {
        guard let content = clips[voices[index].clip] else { return }
        let fresh = content.pointee.track == track ? freeVoice() : -1
        if fresh < 0 {
            stopVoice(of: track)
            return
        }
        var voice = voices[index]
        voice.originBeat = voice.originBeat + voice.content.pointee.firstBeat
        moveOrigin(of: &voice, to: content.pointee)
        voice.originBeat = voice.originBeat - content.pointee.firstBeat
        // A gain that was set while the clip plays outlives what leaves the settings' own as it was.
        if voice.content.pointee.gain != content.pointee.gain { voice.gain = Ramp(constant: content.pointee.gain) }
        voice.content = content
        crossfade(from: index, to: voice, at: fresh, on: track)
    }

    /// Moves the origin where `content` has another start position, or has come to follow the tempo or ceased to: the
    /// clip is where it would be had it been so since its launch.
    @_noLocks private func moveOrigin(of voice: inout ClipVoice, to content: ClipContent) {
        let old = voice.content.pointee
        let isSameMeasure = old.isSynced == content.isSynced
        switch (old.startPosition, content.startPosition) {
        case (.fromStart, .fromStart) where isSameMeasure, (.synced, .synced) where isSameMeasure,
            (_, .legato) where isSameMeasure:
            break
        case (_, .fromStart):
            voice.originBeat = voice.launchBeat
            voice.originFrame = voice.launchFrame
        case (_, .synced):
            voice.originBeat = Beat(rawValue: 0)
            voice.originFrame = timeline.tempo.exactFrame(of: Beat(rawValue: 0))
        case (_, .legato):
            // What it took over at its launch it keeps, in source frames.
            if content.isSynced {
                let lead = (voice.launchFrame - voice.originFrame) * old.sourceRate / timeline.sampleRate.hertz
                voice.originBeat = voice.launchBeat - lead / content.framesPerBeat
            } else {
                let lead = (voice.launchBeat - voice.originBeat) * old.framesPerBeat
                voice.originFrame = voice.launchFrame - lead * timeline.sampleRate.hertz / content.sourceRate
            }
        }
    }

    /// Fades what plays on a track out as it is, and `voice` in at its own position.
    @_noLocks private mutating func crossfade(from index: Int, to voice: ClipVoice, at fresh: Int, on track: Int) {
        // A clip that comes in slowly goes on coming in.
        let entrance = voice.envelope.target == 1 ? voice.envelope.start + voice.envelope.frames - timeline.now : 0
        fade(voice: index, frames: timeline.fadeFrames)
        voices[fresh] = voice
        voices[fresh].envelope = Ramp(
            from: 0, to: 1, start: timeline.now, frames: entrance > timeline.fadeFrames ? entrance : timeline.fadeFrames
        )
        voices[fresh].isEnding = false
        voices[fresh].isEarly = false
        voices[fresh].nextWrap = FrameTime(rawValue: .max)
        voices[fresh].end = FrameTime(rawValue: .max)
        tracks[track].voice = fresh
        anchor(voice: fresh)
        findIteration(ofVoice: fresh)
    }

    /// Crossfades what plays on a track to where it is after the timeline has moved by `frames`.
    @_noLocks mutating func shiftVoice(of track: Int, by frames: Int64) {
        let index = tracks[track].voice
        if index < 0 { return }
        let fresh = freeVoice()
        if fresh < 0 {
            stopVoice(of: track)
            return
        }
        var voice = voices[index]
        voice.isDetached = false
        voice.originFrame += Double(frames)
        voice.launchFrame += Double(frames)
        crossfade(from: index, to: voice, at: fresh, on: track)
        // A wrap that was told is not told again.
        if voices[fresh].iteration < voice.iteration {
            voices[fresh].iteration = voice.iteration
            findEdges(ofVoice: fresh)
        }
    }

    // MARK: Stopping

    @_noLocks mutating func stopVoice(of track: Int) {
        let index = tracks[track].voice
        if index < 0 { return }
        tracks[track].voice = -1
        emit(.clipStopped(clip: ClipHandle(voices[index].clip), track: TrackIndex(track)))
        fade(voice: index, frames: voices[index].content.pointee.fades.fadeOutFrames(timeline.sampleRate))
    }

    @_noLocks func fade(voice index: Int, frames: Int64) {
        voices[index].phase = .fading
        aimFade(ofVoice: index, frames: frames)
    }

    /// Fades a voice out over `frames` frames, or until the end of a clip that plays once, where that is nearer.
    @_noLocks private func aimFade(ofVoice index: Int, frames: Int64) {
        let left = voices[index].end - timeline.now
        voices[index].envelope = voices[index].envelope.redirected(
            to: 0, at: timeline.now, frames: left < frames ? left : frames)
    }

    /// Frees voices that have faded out and ends clips that play once.
    @_noLocks mutating func endVoices() {
        for index in 0..<voiceEnd {
            switch voices[index].phase {
            case .free, .leading: break
            case .fading:
                let envelope = voices[index].envelope
                if timeline.now - envelope.start >= envelope.frames { voices[index].phase = .free }
            case .playing:
                if voices[index].end <= timeline.now {
                    finish(voice: index)
                } else if nextEndFrame(of: voices[index]) <= timeline.now {
                    voices[index].isEnding = true
                    if voices[index].content.pointee.fades.fadesTail {
                        voices[index].envelope = voices[index].envelope.redirected(
                            to: 0, at: timeline.now, frames: voices[index].end - timeline.now)
                    }
                }
            }
        }
        trimPool()
    }

    @_noLocks private mutating func trimPool() {
        while voiceEnd > 0, voices[voiceEnd - 1].isFree { voiceEnd -= 1 }
    }

    @_noLocks private func finish(voice index: Int) {
        voices[index].phase = .free
        for track in 0..<trackCount where tracks[track].voice == index {
            tracks[track].voice = -1
            emit(.clipStopped(clip: ClipHandle(voices[index].clip), track: TrackIndex(track)))
        }
    }

    /// When a clip that plays once next needs attention: where its tail begins to fade, then at its end.
    @_noLocks func nextEndFrame(of voice: ClipVoice) -> FrameTime {
        if voice.end.rawValue == .max || voice.isEnding { return voice.end }
        let tail = voice.end - voice.content.pointee.fades.fadeOutFrames(timeline.sampleRate)
        if voice.envelope.origin != 0 { return tail }
        // A clip that is shorter than its fades comes in before it goes.
        let room = (voice.end - voice.envelope.start) / 2
        let earliest = voice.envelope.start + (voice.envelope.frames < room ? voice.envelope.frames : room)
        return tail > earliest ? tail : earliest
    }

    // MARK: Position

    @_noLocks func anchor(voice index: Int) {
        anchor(voice: index, on: timeline.tempo, rolledFrom: timeline.rollFrame)
    }

    /// Restates a voice's position for the stretch of constant tempo that begins now.
    @_noLocks func anchor(voice index: Int, on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime) {
        let content = voices[index].content.pointee
        let rate = content.rate(at: tempo.tempo(at: timeline.now), sampleRate: timeline.sampleRate)
        voices[index].rate = rate
        voices[index].step = SourcePosition(rate)
        voices[index].anchorFrame = timeline.now
        voices[index].anchor = SourcePosition(
            snapping: exactSourcePosition(of: voices[index], on: tempo, rolledFrom: rollFrame))
    }

    @_noLocks private func exactSourcePosition(of voice: ClipVoice) -> Double {
        exactSourcePosition(of: voice, on: timeline.tempo, rolledFrom: timeline.rollFrame)
    }

    @_noLocks private func exactSourcePosition(
        of voice: ClipVoice, on tempo: borrowing TempoMap, rolledFrom rollFrame: FrameTime
    ) -> Double {
        let content = voice.content.pointee
        if !content.isSynced { return (Double(timeline.now.rawValue) - voice.originFrame) * voice.rate }
        let segment = tempo.segment(at: timeline.now)
        let beatsToOrigin = voice.originBeat - segment.startBeat
        // Within one stretch of constant tempo, counting frames keeps whole frames whole.
        if segment.rampBeats == 0, beatsToOrigin >= 0 || segment.startFrame == rollFrame {
            return (Double(timeline.now - segment.startFrame) - segment.frames(inBeats: beatsToOrigin)) * voice.rate
        }
        return (segment.beat(at: timeline.now) - voice.originBeat) * content.framesPerBeat
    }

    /// The position of a voice within its region, in source frames; a start that was rounded to an earlier frame is
    /// slightly negative.
    @_noLocks func sourcePosition(ofVoice index: Int) -> Double {
        let voice = voices[index]
        let content = voice.content.pointee
        let exact = exactSourcePosition(of: voice)
        let length = Double(content.region.length)
        if !content.loops || exact < length { return exact }
        return exact - rt_floor(exact / length) * length
    }

    // MARK: Loop

    @_noLocks private func findIteration(ofVoice index: Int) {
        let content = voices[index].content.pointee
        let position = exactSourcePosition(of: voices[index])
        voices[index].iteration = Int64(rt_floor(position / Double(content.region.length)))
        if voices[index].iteration < 0 { voices[index].iteration = 0 }
        findEdges(ofVoice: index)
        while voices[index].nextWrap <= timeline.now {
            voices[index].iteration += 1
            findEdges(ofVoice: index)
        }
    }

    /// Finds the frames of the voice's next wrap and of its end.
    @_noLocks private func findEdges(ofVoice index: Int) { findEdges(ofVoice: index, on: timeline.tempo) }

    @_noLocks func findEdges(ofVoice index: Int, on tempo: borrowing TempoMap) {
        let content = voices[index].content.pointee
        let edge = edgeFrame(of: voices[index], turn: content.loops ? voices[index].iteration + 1 : 1, on: tempo)
        if content.loops {
            voices[index].nextWrap = edge
        } else {
            voices[index].end = edge > timeline.now ? edge : timeline.now
            if !voices[index].isPlaying {
                let envelope = voices[index].envelope
                aimFade(ofVoice: index, frames: envelope.start + envelope.frames - timeline.now)
            } else if voices[index].isEnding, content.fades.fadesTail {
                aimTail(ofVoice: index)
            }
        }
    }

    /// Turns a tail that is fading out towards an end that has moved with the tempo.
    @_noLocks private func aimTail(ofVoice index: Int) {
        let left = voices[index].end - timeline.now
        voices[index].isEnding = left <= voices[index].content.pointee.fades.fadeOutFrames(timeline.sampleRate)
        voices[index].envelope =
            voices[index].isEnding
            ? voices[index].envelope.redirected(to: 0, at: timeline.now, frames: left)
            : voices[index].envelope.redirected(to: 1, at: timeline.now, frames: timeline.fadeFrames)
    }

    /// The frame at which the voice has gone through its region `turn` times.
    @_noLocks private func edgeFrame(of voice: ClipVoice, turn: Int64, on tempo: borrowing TempoMap) -> FrameTime {
        let content = voice.content.pointee
        if content.isSynced { return tempo.frame(of: voice.originBeat + Double(turn) * content.beats) }
        let period = Double(content.region.length) * timeline.sampleRate.hertz / content.sourceRate
        return FrameTime(rawValue: FrameRounding.nearest(voice.originFrame + Double(turn) * period))
    }

    /// Whole turns from the voice's origin to now.
    @_noLocks private func turns(of voice: ClipVoice) -> Int64 {
        let content = voice.content.pointee
        if content.isSynced {
            return Int64(rt_floor((timeline.tempo.beat(at: timeline.now) - voice.originBeat) / content.beats))
        }
        let elapsed =
            (Double(timeline.now.rawValue) - voice.originFrame) * content.sourceRate / timeline.sampleRate.hertz
        return Int64(rt_floor(elapsed / Double(content.region.length)))
    }

    /// Counts the wraps that fall on `now`. A loop shorter than a frame's step may wrap more than once.
    @_noLocks mutating func wrapVoices() {
        for index in 0..<voiceEnd where voices[index].isPlaying && voices[index].nextWrap <= timeline.now {
            // Many turns of a very short loop are taken at once, all but the last two.
            let turns = turns(of: voices[index])
            if turns - 2 > voices[index].iteration { voices[index].iteration = turns - 2 }
            while voices[index].nextWrap <= timeline.now {
                voices[index].iteration += 1
                findEdges(ofVoice: index)
            }
            let content = voices[index].content.pointee
            emit(
                .clipLooped(
                    clip: ClipHandle(voices[index].clip), track: TrackIndex(content.track),
                    iteration: voices[index].iteration))
        }
    }
}
