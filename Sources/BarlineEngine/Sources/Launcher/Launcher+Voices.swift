import BarlineDSP
import BarlineTime

/// The voices of the tracks: how clips start there, are replaced, and stop.
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
        var (voice, offset) = pool.cue(
            clip, content, at: boundary, after: tracks[track].voice, context.timeline)
        let lead = tracks[track].lead
        let isLed = lead >= 0 && LeadIn.leads(voices[lead], to: voice)
        let index = isLed ? lead : pool.freeVoice()
        if index < 0 {
            context.emit(.launcher(.voicesExhausted(clip: ClipHandle(clip), track: TrackIndex(track))))
            return
        }
        if isLed {
            tracks[track].lead = -1
            voice.envelope = voices[lead].envelope
            voice.gain = voices[lead].gain
            voice.isEarly = voices[lead].isEarly
        } else if isOnTime, LeadIn.isFirstFrame(offset) {
            voice.envelope = LeadIn.fadeIn(of: content.pointee.fades, context.timeline)
        } else {
            voice.envelope = Ramp(from: 0, to: 1, start: context.now, frames: context.fadeFrames)
        }
        voice.phase = .playing
        stopVoice(of: track, &context)
        pool.start(voice, at: index, isLed: isLed, context.timeline)
        tracks[track].begin(clip, voice: index)
        context.emit(
            .launcher(
                .started(
                    clip: ClipHandle(clip), track: TrackIndex(track),
                    beat: isOnTime ? boundary : context.timeline.tempo.beat(at: context.now),
                    sourceFrame: pool.sourcePosition(ofVoice: index, context.timeline) * content.pointee.sourceScale)))
    }

    /// Crossfades a playing voice to its clip's new content: at the same origin, or at that of another start position
    /// or measure.
    @_noLocks mutating func replaceContent(
        ofVoice index: Int, on track: Int, frames: Int64, before: ClipContent? = nil, _ context: inout RenderContext
    ) {
        guard let content = clips[voices[index].clip] else { return }
        pool.reanchorIfStale(voice: index, context.timeline)
        let freeIndex = content.pointee.track == track ? pool.freeVoice() : -1
        if freeIndex < 0 {
            stopVoice(of: track, &context)
            return
        }
        let isReported = pool.beginsPass(voice: index, context.timeline)
        let voice = voices[index].playing(
            content, after: before ?? voices[index].content.pointee, context.timeline)
        pool.crossfade(from: index, to: voice, at: freeIndex, frames: frames, context.timeline)
        tracks[track].begin(voice.clip, voice: freeIndex)
        // The pass that begins now is the new voice's to report, which was placed in it.
        if !isReported, pool.beginsPass(voice: freeIndex, context.timeline) {
            pool.recountPass(ofVoice: freeIndex, context.timeline)
        }
    }

    /// Crossfades the voice of a track to its position after the timeline has moved by `frames`.
    @_noLocks mutating func shiftVoice(of track: Int, by frames: Int64, _ context: inout RenderContext) {
        let index = tracks[track].voice
        if index < 0 { return }
        let freeIndex = pool.freeVoice()
        if freeIndex < 0 {
            stopVoice(of: track, &context)
            return
        }
        var voice = voices[index]
        voice.isDetached = false
        voice.origin = voice.origin + Double(frames)
        voice.launch = voice.launch + Double(frames)
        pool.crossfade(from: index, to: voice, at: freeIndex, frames: context.fadeFrames, context.timeline)
        tracks[track].begin(voice.clip, voice: freeIndex)
        // A wrap is not reported twice.
        if voices[freeIndex].iteration < voice.iteration {
            voices[freeIndex].iteration = voice.iteration
            pool.findEdges(ofVoice: freeIndex, context.timeline)
        }
    }

    @_noLocks mutating func stopVoice(of track: Int, _ context: inout RenderContext) {
        let index = tracks[track].voice
        if index < 0 { return }
        tracks[track].end()
        context.emit(.launcher(.stopped(clip: ClipHandle(voices[index].clip), track: TrackIndex(track))))
        pool.fade(
            voice: index, frames: voices[index].content.pointee.fades.fadeOutFrames(context.sampleRate),
            context.timeline)
    }

    /// Frees voices that have faded out and ends one-shots.
    @_noLocks mutating func endVoices(_ context: inout RenderContext) {
        for index in 0..<pool.voiceEnd where pool.end(voice: index, context.timeline) {
            for track in 0..<trackCount where tracks[track].voice == index {
                tracks[track].end()
                context.emit(.launcher(.stopped(clip: ClipHandle(voices[index].clip), track: TrackIndex(track))))
            }
        }
        pool.trim()
    }

    /// Counts and reports the wraps that fall on `now`.
    @_noLocks mutating func wrapVoices(_ context: inout RenderContext) {
        for index in 0..<pool.voiceEnd where pool.wrap(voice: index, context.timeline) {
            context.emit(
                .launcher(
                    .looped(
                        clip: ClipHandle(voices[index].clip), track: TrackIndex(voices[index].content.pointee.track),
                        iteration: voices[index].iteration)))
        }
    }

    /// The frame at which something is due next: a boundary, a lead-in, a wrap or an end.
    @_noLocks func nextDueFrame(_ timeline: borrowing Timeline) -> FrameTime {
        var next = earlier(recorder.nextDue, pool.nextDue(timeline))
        for index in 0..<trackCount {
            next = earlier(next, earlier(tracks[index].queue.frame, nextLeadIn(on: index, timeline)))
            next = earlier(next, tracks[index].monitor.nextSwitch)
            next = earlier(next, tracks[index].overdub.queue.frame)
        }
        return next
    }
}
