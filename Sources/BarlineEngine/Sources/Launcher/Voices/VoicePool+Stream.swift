import BarlineDSP
import BarlineTime
import CKernels
import CRealtime

/// Clips that are streamed: before a voice reads its frames, it asks for them.
extension VoicePool {
    /// The frames that a voice reads in a slice.
    private struct Span {
        /// The source frame at or before the first position, and that of the position after the last.
        let start: Int64
        let end: Int64
        /// Source frames per output frame, at most.
        let rate: Double
    }

    /// Reads a voice of a streamed clip. If frames are missing it fades out before them, moves on silently, and fades in
    /// again where it would have been.
    ///
    /// - Returns: as ``read(voice:segment:isRamping:count:_:)``.
    @_noLocks func readStreamed(
        voice index: Int, _ stream: ClipStream, segment: TempoSegment, isRamping: Bool, count: Int,
        _ context: inout RenderContext
    ) -> StereoBuffer {
        let span = span(ofVoice: index, segment: segment, isRamping: isRamping, count: count, context)
        let present = supply(voice: index, stream, span, &context)
        let readable = Double(present - 2 * ClipStream.reach - 1) / span.rate
        if voices[index].isStarved {
            recover(voice: index, present: present, span, &context)
        } else if present < VoicePool.needed(by: voices[index], span, context) {
            starve(voice: index, readable: readable, &context)
        }
        var frames = count
        if voices[index].isStarved {
            let left = voices[index].supply.start + voices[index].supply.frames - context.now
            if left < Int64(frames) { frames = left > 0 ? Int(left) : 0 }
            if readable < Double(frames) { frames = readable > 0 ? Int(readable) : 0 }
        }
        let isWhole = frames == count && voices[index].supply.isSettled(at: context.now)
        if isWhole, voices[index].supply.target == 1,
            let found = wholeFrames(ofVoice: index, isRamping: isRamping, count: count, context)
        {
            // Of the next block, which other cores have written.
            dsp_prefetch(found.left + count, count)
            dsp_prefetch(found.right + count, count)
            return found
        }
        if frames > 0 {
            readFrames(voice: index, segment: segment, isRamping: isRamping, count: frames, &context)
            context.scratch.source.apply(voices[index].supply, at: context.now, frames)
        }
        if frames < count {
            StereoBuffer(left: context.scratch.voiceLeft + frames, right: context.scratch.voiceRight + frames)
                .clear(count - frames)
        }
        return context.scratch.source
    }

    @_noLocks private func span(
        ofVoice index: Int, segment: TempoSegment, isRamping: Bool, count: Int, _ context: borrowing RenderContext
    ) -> Span {
        let voice = voices[index]
        if isRamping, voice.content.pointee.isSynced, !voice.isDetached {
            let content = voice.content.pointee
            let origin = voice.originBeat.rawValue
            let first = context.scratch.beats[0] - origin
            let last = context.scratch.beats[count - 1] - origin
            let (now, later) = (
                content.rate(at: segment.tempo(at: context.now), beat: first, sampleRate: context.sampleRate),
                content.rate(at: segment.endTempo, beat: last, sampleRate: context.sampleRate)
            )
            return Span(
                start: Int64(rt_floor(content.position(atBeat: first))),
                end: Int64(rt_floor(content.position(atBeat: last))) + 1, rate: now > later ? now : later)
        }
        return Span(
            start: voice.position(at: context.now).whole,
            end: voice.position(at: context.now + Int64(count)).whole + 1, rate: voice.rate)
    }

    /// The length in seconds that must be there before a voice that was starved resumes.
    private static var recoverySeconds: Double { @_noLocks get { 0.1 } }
    /// The most waits for frames, of a tenth of a millisecond each: a minute.
    private static var mostWaits: Int { @_noLocks get { 600_000 } }

    /// The number of frames needed from ``ClipStream/reach`` before a span on: those of the span, and those of a fade that
    /// begins after it, at up to twice its rate; or of what a voice resumes with.
    @_noLocks private static func needed(
        by voice: ClipVoice, _ span: Span, _ context: borrowing RenderContext
    ) -> Int64 {
        let seconds = voice.isStarved ? VoicePool.recoverySeconds : 2 * Ramp.fadeSeconds
        return span.end - span.start + 2 * ClipStream.reach + 1
            + Int64(span.rate * seconds * context.sampleRate.hertz)
    }

    /// Publishes what a voice needs, and returns the number of frames that are there, from ``ClipStream/reach`` before
    /// its position on, as far as they matter.
    @_noLocks private func supply(
        voice index: Int, _ stream: ClipStream, _ span: Span, _ context: inout RenderContext
    ) -> Int64 {
        let from = span.start - ClipStream.reach
        let needed = VoicePool.needed(by: voices[index], span, context)
        let ahead = from + needed + Int64(span.rate * ClipStream.secondsAhead * context.sampleRate.hertz)
        if voices[index].place < 0 { voices[index].place = stream.claimPlace() }
        if voices[index].place < 0 { return 0 }
        stream.publish(voices[index].place, from: from, until: ahead)
        var present = stream.presentFrames(from: from, until: from + needed)
        if present == needed || !context.link.counters.pointee.waitsForClips.load(ordering: .relaxed) {
            return present
        }
        var waits = 0
        while present < needed, waits < VoicePool.mostWaits {
            rt_wait_offline()
            present = stream.presentFrames(from: from, until: from + needed)
            waits += 1
        }
        return present
    }

    @_noLocks private func starve(voice index: Int, readable: Double, _ context: inout RenderContext) {
        let frames = readable < Double(context.fadeFrames) ? (readable > 0 ? Int64(readable) : 0) : context.fadeFrames
        voices[index].isStarved = true
        voices[index].supply = voices[index].supply.redirected(to: 0, at: context.now, frames: frames)
        if !voices[index].isPlaying { return }
        context.emit(
            .launcher(
                .underrun(
                    clip: ClipHandle(voices[index].clip), track: TrackIndex(voices[index].content.pointee.track))))
    }

    @_noLocks private func recover(voice index: Int, present: Int64, _ span: Span, _ context: inout RenderContext) {
        if !voices[index].supply.isSettled(at: context.now) { return }
        if present < VoicePool.needed(by: voices[index], span, context) { return }
        voices[index].isStarved = false
        voices[index].supply = Ramp(from: 0, to: 1, start: context.now, frames: context.fadeFrames)
        if !voices[index].isPlaying { return }
        context.emit(
            .launcher(
                .recovered(
                    clip: ClipHandle(voices[index].clip), track: TrackIndex(voices[index].content.pointee.track))))
    }

    /// Lets the frames go that a voice needed.
    @_noLocks func leaveStream(ofVoice index: Int) {
        if voices[index].place >= 0, let stream = voices[index].content.pointee.stream {
            stream.leave(voices[index].place)
        }
        voices[index].place = -1
    }
}
