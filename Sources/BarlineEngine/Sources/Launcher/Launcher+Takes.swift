import BarlineDSP
import BarlineTime
import CRealtime

/// Recording into slots. The launch button of a slot whose take is yet to be recorded begins it, on the boundary on
/// which a clip would start; the next press ends it on the boundary that follows, and from there on it plays.
extension Launcher {
    /// Installs a take that is yet to be recorded as the content of its clip.
    @_noLocks mutating func install(_ take: UnsafeMutablePointer<Take>, _ context: inout RenderContext) {
        install(clip: take.pointee.clip, content: UnsafePointer(take.pointee.content), &context)
        recorder.add(take)
    }

    // MARK: Beginning and ending

    /// Begins a take at a boundary, which may have just passed. The clip that plays on the track fades out.
    @_noLocks mutating func beginTake(
        _ take: UnsafeMutablePointer<Take>, on track: Int, boundary: Beat, _ context: inout RenderContext
    ) {
        endTake(on: track, at: boundary, &context)
        stopVoice(of: track, &context)
        // On a grid there is a tempo.
        take.pointee.saysTempo = false
        take.pointee.begin(
            at: context.timeline.tempo.frame(of: boundary), beat: boundary,
            latency: context.capture.latency(of: take.pointee.input), now: context.now,
            sampleRate: context.sampleRate)
        tracks[track].take = take
        context.emit(
            .launcher(
                .recordStarted(
                    clip: ClipHandle(take.pointee.clip), track: TrackIndex(track),
                    input: InputIndex(take.pointee.input))))
        if take.pointee.bars > 0 { queueEnd(of: take, on: track, context.timeline) }
    }

    /// Queues the end of a take with a fixed number of bars.
    @_noLocks private func queueEnd(
        of take: UnsafeMutablePointer<Take>, on track: Int, _ timeline: borrowing Timeline
    ) {
        let point = timeline.launchPoint(bars: take.pointee.bars, after: take.pointee.startBeat)
        tracks[track].launch.queueStart(
            of: take.pointee.clip, at: point, frame: timeline.tempo.frame(of: point.beat))
    }

    /// Has a take that would not be there when it is to be played, because it is shorter than its input's latency or
    /// has begun late, begin when it is complete, in phase with the boundary.
    ///
    /// - Returns: whether that is so.
    @_noLocks mutating func postponeStart(
        of clip: Int, on track: Int, at boundary: Beat, _ context: inout RenderContext
    ) -> Bool {
        guard let take = recorder.take(of: clip), !take.pointee.isWaiting, !take.pointee.isWhole else { return false }
        let start = context.timeline.tempo.frame(of: boundary)
        if start >= take.pointee.earliestEnd(context.sampleRate) { return false }
        if take.pointee.isRecording { endTake(on: track, at: boundary, &context) }
        if take.pointee.isWhole { return false }
        let point = LaunchPoint(boundary: .beat(boundary), beat: boundary, isPast: true)
        tracks[track].launch.queueStart(of: clip, at: point, frame: take.pointee.due)
        return true
    }

    /// The end of a take whose button was pressed for `point`: there, or, if it would be too short for a loop whose
    /// last frames are delivered in time, on the next boundary.
    @_noLocks func endPoint(
        of take: UnsafeMutablePointer<Take>, at point: LaunchPoint, _ quantization: Quantization,
        _ timeline: borrowing Timeline
    ) -> LaunchPoint {
        let earliest = take.pointee.earliestEnd(timeline.sampleRate)
        if timeline.tempo.frame(of: point.beat) >= earliest { return point }
        return timeline.launchPoint(quantization, notBefore: earliest)
    }

    /// Ends the take on a track, at a boundary that is now or has just passed.
    @_noLocks mutating func endTake(on track: Int, at boundary: Beat, _ context: inout RenderContext) {
        endLayer(on: track, at: context.timeline.tempo.frame(of: boundary), &context)
        guard let take = tracks[track].take else { return }
        let end = take.pointee.saysTempo ? context.now : context.timeline.tempo.frame(of: boundary)
        endTake(take, on: track, at: end, beat: boundary, &context)
    }

    @_noLocks private mutating func endTake(
        _ take: UnsafeMutablePointer<Take>, on track: Int, at end: FrameTime, beat: Beat,
        _ context: inout RenderContext
    ) {
        tracks[track].take = nil
        let saysTempo = take.pointee.saysTempo
        if saysTempo { sayTempo(take, at: end, beat: beat, &context) }
        close(take, at: end, beat: beat, isEven: saysTempo, &context)
    }

    /// Closes a take at `end`, where `beat` is; `isEven` says that its beats are of one length whatever the tempo was.
    @_noLocks func close(
        _ take: UnsafeMutablePointer<Take>, at end: FrameTime, beat: Beat, isEven: Bool, _ context: inout RenderContext
    ) {
        take.pointee.copy(context, until: context.now)
        take.pointee.close(at: end, beat: beat, sampleRate: context.sampleRate)
        if !isEven { warp(take, until: beat, context.timeline) }
        take.pointee.performDue(at: context.now)
        context.emit(
            .launcher(
                .recordEnded(
                    clip: ClipHandle(take.pointee.clip), track: TrackIndex(take.pointee.track),
                    frames: take.pointee.length)))
    }

    /// Gives a take that was made while the tempo has changed its warp markers.
    @_noLocks private func warp(
        _ take: UnsafeMutablePointer<Take>, until beat: Beat, _ timeline: borrowing Timeline
    ) {
        if take.pointee.isLayer { return }
        if take.pointee.isOn(timeline.tempo, until: beat) {
            take.pointee.warp(along: timeline.tempo, until: beat)
        } else if take.pointee.isOn(timeline.former, until: beat) {
            // The transport has been stopped or started, which ends the take.
            take.pointee.warp(along: timeline.former, until: beat)
        }
    }

    /// Ends all recordings now, where `beat` is.
    @_noLocks mutating func endTakes(at beat: Beat, _ context: inout RenderContext) {
        for track in 0..<trackCount {
            endLayer(on: track, at: context.now, &context)
            guard let take = tracks[track].take else { continue }
            endTake(take, on: track, at: context.now, beat: beat, &context)
        }
    }

    /// Ends all recordings now, with the frames captured so far: the length of a frame changes.
    @_noLocks mutating func breakTakes(_ context: inout RenderContext) {
        breakLayers(&context)
        endTakes(at: context.timeline.currentBeat, &context)
        recorder.abandonAll()
    }

    /// Creates a take of the last bars before a bar line: the one that has passed, or the next one if it is within the
    /// snap tolerance. If the transport is stopped, they end at `frame`.
    @_noLocks mutating func keepLast(bars: Int, as clip: Int, at frame: FrameTime, _ context: inout RenderContext) {
        guard let take = recorder.take(of: clip), take.pointee.isWaiting else { return }
        var (start, end) = (Beat(rawValue: 0), Beat(rawValue: 0))
        var last = frame
        if context.timeline.isRolling {
            let beat = context.timeline.tempo.beat(at: frame)
            let line = Int64(
                rt_floor(context.timeline.metre.bars(at: beat) + context.timeline.snapTolerance + Beat.tolerance))
            start = context.timeline.metre.beat(ofBar: line - Int64(bars))
            end = context.timeline.metre.beat(ofBar: line)
            last = context.timeline.tempo.frame(of: end)
        } else {
            start = Beat(rawValue: -Double(bars) * context.timeline.metre.timeSignature(at: end).quartersPerBar)
        }
        let length = context.timeline.tempo.frame(of: end) - context.timeline.tempo.frame(of: start)
        take.pointee.begin(
            at: last - length, beat: start, latency: context.capture.latency(of: take.pointee.input), now: context.now,
            sampleRate: context.sampleRate)
        close(take, at: last, beat: end, isEven: false, &context)
    }

    /// Detaches a clip's take, because the clip is replaced or removed. A complete take still receives its margin, for
    /// its file.
    @_noLocks mutating func forgetTake(of clip: Int, _ context: inout RenderContext) {
        guard let take = recorder.take(of: clip), !take.pointee.isWhole else { return }
        for track in 0..<trackCount where tracks[track].take == take { tracks[track].take = nil }
        if take.pointee.isRecording {
            take.pointee.close(at: context.now, beat: context.timeline.currentBeat, sampleRate: context.sampleRate)
        }
        take.pointee.abandon()
        recorder.remove(take)
    }

    // MARK: What is due

    /// Performs what is due for takes: those whose memory is full, or which are complete.
    @_noLocks mutating func performDueTakes(_ context: inout RenderContext) {
        var next = recorder.takes.latest
        while let take = next {
            next = take.pointee.following
            // Copy what was mixed since the last copy.
            if take.pointee.due <= context.now { take.pointee.copy(context, until: context.now) }
            if take.pointee.isLayer {
                performDueLayer(take, &context)
                continue
            }
            if take.pointee.isRecording, take.pointee.pressedEnd <= context.now {
                playFirstLoop(take, &context)
            } else if take.pointee.isRecording, take.pointee.latestEnd <= context.now {
                let track = take.pointee.track
                endTake(take, on: track, at: context.now, beat: context.timeline.currentBeat, &context)
            }
            take.pointee.performDue(at: context.now)
            if take.pointee.isFinished { recorder.remove(take) }
        }
    }
}
