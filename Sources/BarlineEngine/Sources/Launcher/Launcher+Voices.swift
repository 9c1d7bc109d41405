import BarlineDSP
import BarlineTime
import CRealtime

/// The voices of clips: how they start, where they are, and how they end.
extension Launcher {
    /// Starts `clip` now, its phase based on the boundary's beat. The clip that played on the track fades out.
    @_noLocks mutating func startClip(
        _ clip: Int, on track: Int, boundary: Beat, isOnTime: Bool, _ context: inout RenderContext
    ) {
        guard let content = clips[clip] else { return }
        if let take = recorder.take(of: clip), take.pointee.isWaiting {
            beginTake(take, on: track, boundary: boundary, &context)
            return
        }
        endTake(on: track, at: boundary, &context)
        var (voice, offset) = cue(clip, content, on: track, boundary: boundary, context.timeline)
        let lead = tracks[track].lead
        let isLed = lead >= 0 && isLeadIn(voices[lead], of: voice)
        let index = isLed ? lead : freeVoice()
        if index < 0 {
            context.emit(.launcher(.voicesExhausted(clip: ClipHandle(clip), track: TrackIndex(track))))
            return
        }
        if isLed {
            tracks[track].lead = -1
            voice.envelope = voices[lead].envelope
            voice.gain = voices[lead].gain
            voice.isEarly = voices[lead].isEarly
        } else if isOnTime, isFirstFrame(offset) {
            voice.envelope = bareEntrance(of: content, context.timeline)
        } else {
            voice.envelope = Ramp(from: 0, to: 1, start: context.now, frames: context.fadeFrames)
        }
        voice.phase = .playing
        stopVoice(of: track, &context)
        voices[index] = voice
        tracks[track].begin(clip, voice: index)
        if !isLed { beginStretch(ofVoice: index) }
        anchor(voice: index, context.timeline)
        findIteration(ofVoice: index, context.timeline)
        context.emit(
            .launcher(
                .started(
                    clip: ClipHandle(clip), track: TrackIndex(track),
                    beat: isOnTime ? boundary : context.timeline.tempo.beat(at: context.now),
                    sourceFrame: sourcePosition(ofVoice: index, context.timeline) * content.pointee.sourceScale)))
    }

    /// Creates a voice that starts `clip` on a boundary, and returns its position there, in source frames.
    @_noLocks mutating func cue(
        _ clip: Int, _ content: UnsafePointer<ClipContent>, on track: Int, boundary: Beat,
        _ timeline: borrowing Timeline
    ) -> (voice: ClipVoice, offset: Double) {
        var voice = ClipVoice(content: content)
        voice.clip = clip
        voice.gain = Ramp(constant: content.pointee.gain)
        let offset = setOrigin(of: &voice, on: track, boundary: boundary, timeline)
        return (voice, offset)
    }

    /// The rounding error of a number of passes.
    private static var turnTolerance: Double { @_noLocks get { 1e-12 } }

    /// The completed passes of a loop; one within rounding error of its end counts.
    @_noLocks static func wholeTurns(_ turns: Double) -> Double { rt_floor(turns + Launcher.turnTolerance) }

    /// Sets the voice's origin, where the clip is at its first frame, and returns its position on the boundary, in
    /// source frames.
    @_noLocks private mutating func setOrigin(
        of voice: inout ClipVoice, on track: Int, boundary: Beat, _ timeline: borrowing Timeline
    ) -> Double {
        let content = voice.content.pointee
        let outgoing = tracks[track].voice
        if outgoing >= 0 { settle(voice: outgoing, timeline) }
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
            return (turns - Launcher.wholeTurns(turns)) * Double(content.region.length)
        }
        let start = voice.launchFrame
        switch content.startPosition {
        case .fromStart: voice.originFrame = start
        case .synced: voice.originFrame = timeline.tempo.exactFrame(of: Beat(rawValue: 0))
        case .legato:
            voice.originFrame = start
            if outgoing >= 0 {
                let seconds = sourcePosition(ofVoice: outgoing, timeline) / voices[outgoing].content.pointee.sourceRate
                voice.originFrame = start - seconds * timeline.sampleRate.hertz
            }
        }
        return (start - voice.originFrame) * content.sourceRate / timeline.sampleRate.hertz
    }

    /// The origin of a clip's first beat at which it has, in beats, the same position as `outgoing` has within its loop
    /// at `boundary`.
    @_noLocks private func legatoOrigin(_ outgoing: ClipVoice, at boundary: Beat) -> Beat {
        let content = outgoing.content.pointee
        if !content.isSynced { return boundary }
        let first = outgoing.originBeat + content.firstBeat
        let turns = Launcher.wholeTurns((boundary - first) / content.beats)
        return content.loops ? first + turns * content.beats : first
    }

    /// The lowest free index of the pool, so that the choice depends on the timeline alone; −1 if none is free.
    @_noLocks mutating func freeVoice() -> Int {
        while takenEnd < voiceEnd, !voices[takenEnd].isFree { takenEnd += 1 }
        if takenEnd == voiceCount { return -1 }
        if takenEnd == voiceEnd { voiceEnd += 1 }
        return takenEnd
    }

    /// Crossfades a playing voice to its clip's new content: at the same origin, or at that of another start position
    /// or measure.
    @_noLocks mutating func replaceContent(
        ofVoice index: Int, on track: Int, frames: Int64, _ context: inout RenderContext
    ) {
        guard let content = clips[voices[index].clip] else { return }
        settle(voice: index, context.timeline)
        let fresh = content.pointee.track == track ? freeVoice() : -1
        if fresh < 0 {
            stopVoice(of: track, &context)
            return
        }
        var voice = voices[index]
        voice.originBeat = voice.originBeat + voice.content.pointee.firstBeat
        moveOrigin(of: &voice, to: content.pointee, context.timeline)
        voice.originBeat = voice.originBeat - content.pointee.firstBeat
        // A gain set while the clip plays persists unless the settings' own gain changes.
        if voice.content.pointee.gain != content.pointee.gain { voice.gain = Ramp(constant: content.pointee.gain) }
        voice.content = content
        crossfade(from: index, to: voice, at: fresh, on: track, frames: frames, context.timeline)
    }

    /// Moves the origin if `content` has another start position, or begins or ceases to follow the tempo: to where the
    /// clip would be, had that been so since its launch.
    @_noLocks private func moveOrigin(
        of voice: inout ClipVoice, to content: ClipContent, _ timeline: borrowing Timeline
    ) {
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
            // The position it took over at its launch is kept, in source frames.
            let scale = old.sourceScale / content.sourceScale
            if content.isSynced {
                let lead = (voice.launchFrame - voice.originFrame) * old.sourceRate / timeline.sampleRate.hertz * scale
                voice.originBeat = voice.launchBeat - content.beat(atPosition: lead)
            } else {
                let lead = old.position(atBeat: voice.launchBeat - voice.originBeat) * scale
                voice.originFrame = voice.launchFrame - lead * timeline.sampleRate.hertz / content.sourceRate
            }
        }
    }

    /// Fades the playing voice of a track out unchanged, and `voice` in at its own position.
    @_noLocks private mutating func crossfade(
        from index: Int, to voice: ClipVoice, at fresh: Int, on track: Int, frames: Int64,
        _ timeline: borrowing Timeline
    ) {
        // A long fade-in continues.
        let entrance = voice.envelope.target == 1 ? voice.envelope.start + voice.envelope.frames - timeline.now : 0
        fade(voice: index, frames: frames, timeline)
        voices[fresh] = voice
        voices[fresh].envelope = Ramp(
            from: 0, to: 1, start: timeline.now, frames: entrance > frames ? entrance : frames)
        voices[fresh].isEnding = false
        voices[fresh].isEarly = false
        voices[fresh].nextWrap = .never
        voices[fresh].end = .never
        tracks[track].begin(voice.clip, voice: fresh)
        beginStretch(ofVoice: fresh)
        anchor(voice: fresh, timeline)
        findIteration(ofVoice: fresh, timeline)
    }

    /// Crossfades the voice of a track to its position after the timeline has moved by `frames`.
    @_noLocks mutating func shiftVoice(of track: Int, by frames: Int64, _ context: inout RenderContext) {
        let index = tracks[track].voice
        if index < 0 { return }
        let fresh = freeVoice()
        if fresh < 0 {
            stopVoice(of: track, &context)
            return
        }
        var voice = voices[index]
        voice.isDetached = false
        voice.originFrame += Double(frames)
        voice.launchFrame += Double(frames)
        crossfade(from: index, to: voice, at: fresh, on: track, frames: context.fadeFrames, context.timeline)
        // A wrap is not reported twice.
        if voices[fresh].iteration < voice.iteration {
            voices[fresh].iteration = voice.iteration
            findEdges(ofVoice: fresh, context.timeline)
        }
    }

    // MARK: Stopping

    @_noLocks mutating func stopVoice(of track: Int, _ context: inout RenderContext) {
        let index = tracks[track].voice
        if index < 0 { return }
        tracks[track].end()
        context.emit(.launcher(.stopped(clip: ClipHandle(voices[index].clip), track: TrackIndex(track))))
        fade(
            voice: index, frames: voices[index].content.pointee.fades.fadeOutFrames(context.sampleRate),
            context.timeline)
    }

    @_noLocks mutating func fade(voice index: Int, frames: Int64, _ timeline: borrowing Timeline) {
        settle(voice: index, timeline)
        voices[index].phase = .fading
        aimFade(ofVoice: index, frames: frames, timeline)
    }

    /// Fades a voice out over `frames` frames, or until the end of a one-shot, if that is nearer.
    @_noLocks func aimFade(ofVoice index: Int, frames: Int64, _ timeline: borrowing Timeline) {
        let left = voices[index].end - timeline.now
        voices[index].envelope = voices[index].envelope.redirected(
            to: 0, at: timeline.now, frames: left < frames ? left : frames)
    }

    /// Frees voices that have faded out and ends one-shots.
    @_noLocks mutating func endVoices(_ context: inout RenderContext) {
        for index in 0..<voiceEnd {
            switch voices[index].phase {
            case .free, .leading: break
            case .fading:
                let envelope = voices[index].envelope
                if context.now - envelope.start >= envelope.frames { free(voice: index) }
            case .playing:
                if voices[index].end <= context.now {
                    finish(voice: index, &context)
                } else if nextEndFrame(of: voices[index], context.timeline) <= context.now {
                    voices[index].isEnding = true
                    if voices[index].content.pointee.fades.fadesTail {
                        voices[index].envelope = voices[index].envelope.redirected(
                            to: 0, at: context.now, frames: voices[index].end - context.now)
                    }
                }
            }
        }
        trimPool()
    }

    @_noLocks private mutating func trimPool() {
        while voiceEnd > 0, voices[voiceEnd - 1].isFree { voiceEnd -= 1 }
    }

    @_noLocks private mutating func free(voice index: Int) {
        voices[index].phase = .free
        if index < takenEnd { takenEnd = index }
    }

    @_noLocks private mutating func finish(voice index: Int, _ context: inout RenderContext) {
        free(voice: index)
        for track in 0..<trackCount where tracks[track].voice == index {
            tracks[track].end()
            context.emit(.launcher(.stopped(clip: ClipHandle(voices[index].clip), track: TrackIndex(track))))
        }
    }

    /// The next due frame of a one-shot: where its tail begins to fade, then its end.
    @_noLocks func nextEndFrame(of voice: ClipVoice, _ timeline: borrowing Timeline) -> FrameTime {
        if voice.end.isNever || voice.isEnding { return voice.end }
        let tail = voice.end - voice.content.pointee.fades.fadeOutFrames(timeline.sampleRate)
        if voice.envelope.origin != 0 { return tail }
        // In a clip shorter than its fades, the fade-in comes before the fade-out.
        let room = (voice.end - voice.envelope.start) / 2
        let earliest = voice.envelope.start + (voice.envelope.frames < room ? voice.envelope.frames : room)
        return tail > earliest ? tail : earliest
    }

    /// Counts the wraps that fall on `now`. A loop shorter than a frame's step may wrap more than once.
    @_noLocks mutating func wrapVoices(_ context: inout RenderContext) {
        for index in 0..<voiceEnd where voices[index].isPlaying && voices[index].nextWrap <= context.now {
            // Many passes of a very short loop are skipped at once, except the last two.
            let turns = turns(of: voices[index], context.timeline)
            if turns - 2 > voices[index].iteration { voices[index].iteration = turns - 2 }
            while voices[index].nextWrap <= context.now {
                voices[index].iteration += 1
                findEdges(ofVoice: index, context.timeline)
            }
            let content = voices[index].content.pointee
            context.emit(
                .launcher(
                    .looped(
                        clip: ClipHandle(voices[index].clip), track: TrackIndex(content.track),
                        iteration: voices[index].iteration)))
        }
    }

    /// The frame at which something is due next: a boundary, a lead-in, a wrap or an end.
    @_noLocks func nextDueFrame(_ timeline: borrowing Timeline) -> FrameTime {
        var next = recorder.nextDue
        for index in 0..<trackCount {
            next = earlier(next, earlier(tracks[index].queue.frame, nextLeadIn(on: index, timeline)))
            next = earlier(next, nextMonitor(on: index))
            next = earlier(next, tracks[index].overdub.queue.frame)
        }
        for index in 0..<voiceEnd {
            next = earlier(next, nextBend(of: voices[index]))
            switch voices[index].phase {
            case .free, .leading: break
            case .playing:
                next = earlier(next, voices[index].nextWrap)
                next = earlier(next, nextEndFrame(of: voices[index], timeline))
            case .fading:
                let envelope = voices[index].envelope
                next = earlier(next, envelope.start + envelope.frames)
            }
        }
        return next
    }
}
