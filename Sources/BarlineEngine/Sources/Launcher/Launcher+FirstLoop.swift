import BarlineDSP
import BarlineTime

/// Takes whose length says the tempo: they are recorded while the transport is stopped, from one press to the next.
extension Launcher {
    /// The launch button of a clip went down at `frame`.
    ///
    /// - Returns: whether its take says the tempo, so that nothing waits for a boundary.
    @_noLocks mutating func pressFirstLoop(_ clip: Int, at frame: FrameTime, _ context: inout RenderContext) -> Bool {
        guard !context.timeline.isRolling, let take = recorder.take(of: clip), take.pointee.saysTempo else {
            return false
        }
        if take.pointee.isWaiting {
            beginFirstLoop(take, at: frame, &context)
            return true
        }
        if !take.pointee.isRecording { return false }
        // What is shorter than its own latency waits for its last frames.
        let earliest = take.pointee.earliestEnd(context.sampleRate)
        take.pointee.pressedEnd = frame > earliest ? frame : earliest
        if take.pointee.pressedEnd <= context.now { playFirstLoop(take, &context) }
        return true
    }

    @_noLocks private mutating func beginFirstLoop(
        _ take: UnsafeMutablePointer<Take>, at frame: FrameTime, _ context: inout RenderContext
    ) {
        let track = take.pointee.track
        endTake(on: track, at: context.timeline.currentBeat, &context)
        stopVoice(of: track, &context)
        take.pointee.begin(
            at: frame, beat: Beat(rawValue: 0), latency: context.capture.latency(of: take.pointee.input),
            now: context.now, sampleRate: context.sampleRate)
        tracks[track].take = take
        context.emit(
            .launcher(
                .recordStarted(
                    clip: ClipHandle(take.pointee.clip), track: TrackIndex(track),
                    input: InputIndex(take.pointee.input))))
    }

    /// Ends a take at the frame for which its button was pressed, and has the transport roll from there, with the loop.
    @_noLocks mutating func playFirstLoop(_ take: UnsafeMutablePointer<Take>, _ context: inout RenderContext) {
        let (track, end) = (take.pointee.track, take.pointee.pressedEnd)
        let origin = Beat(rawValue: 0)
        tracks[track].take = nil
        sayTempo(take, at: end, beat: origin, &context)
        propagate(context.timeline.startUncounted(at: end), &context)
        close(take, at: end, beat: origin, isEven: true, &context)
        startClip(take.pointee.clip, on: track, boundary: origin, isOnTime: end == context.now, &context)
        forgetDue()
    }

    /// Finds the beats of a take that ends at `end`, where `beat` is, and makes the tempo from its length where the
    /// transport is stopped.
    @_noLocks mutating func sayTempo(
        _ take: UnsafeMutablePointer<Take>, at end: FrameTime, beat: Beat, _ context: inout RenderContext
    ) {
        take.pointee.saysTempo = false
        var frames = end - take.pointee.origin
        let longest = take.pointee.latestEnd - take.pointee.origin
        if frames > longest { frames = longest }
        if frames < 1 { frames = 1 }
        let seconds = Double(frames) / context.sampleRate.hertz
        var tempo = context.timeline.tempo.tempo(at: context.now)
        var beats = tempo.beats(in: seconds)
        if !context.timeline.isRolling {
            let whole = LoopTempo.beats(
                seconds: seconds,
                barLength: context.timeline.metre.timeSignature(at: Beat(rawValue: 0)).quartersPerBar)
            let own = Tempo.beatsPerMinute(of: whole, in: seconds)
            tempo = Tempo(clamping: own)
            beats = tempo.beatsPerMinute == own ? whole : tempo.beats(in: seconds)
            take.pointee.progress.pointee.tempo.store(tempo.beatsPerMinute.bitPattern, ordering: .relaxed)
            propagate(context.timeline.changeTempo(to: tempo, rampBeats: 0), &context)
        }
        take.pointee.startBeat = beat - beats
    }
}
