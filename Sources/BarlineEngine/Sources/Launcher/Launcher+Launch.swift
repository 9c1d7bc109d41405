import BarlineDSP
import BarlineTime

/// Queueing launches and stops on boundaries.
extension Launcher {
    /// The launch button of `clip` went down at `frame`.
    @_noLocks mutating func press(clip: Int, at frame: FrameTime, _ context: inout RenderContext) {
        guard let content = clips[clip], !pressFirstLoop(clip, at: frame, &context) else { return }
        let mode = content.pointee.launchMode
        switch tracks[content.pointee.track].launch.press(clip, mode) {
        case .nothing: break
        case .launch:
            let isHeld = if case .repeat = mode { true } else { false }
            queueLaunch(clip: clip, content: content, isHeld: isHeld, at: frame, &context)
        case .stop: queueStop(track: content.pointee.track, at: frame, &context)
        }
    }

    /// The launch button of `clip` went up at `frame`.
    @_noLocks mutating func release(clip: Int, at frame: FrameTime, _ context: inout RenderContext) {
        guard let content = clips[clip] else { return }
        let track = content.pointee.track
        if case .stop = tracks[track].launch.release(clip, content.pointee.launchMode) {
            queueStop(track: track, at: frame, &context)
        }
    }

    @_noLocks func isPlaying(clip: Int, on track: Int) -> Bool {
        tracks[track].launch.playing == clip
    }

    @_noLocks func quantization(of content: UnsafePointer<ClipContent>) -> Quantization {
        content.pointee.hasQuantization ? content.pointee.quantization : quantization
    }

    // MARK: Launch

    @_noLocks mutating func queueLaunch(
        clip: Int, content: UnsafePointer<ClipContent>, isHeld: Bool = false, at frame: FrameTime,
        _ context: inout RenderContext
    ) {
        let track = content.pointee.track
        var point = launchPoint(quantization(of: content), at: frame, &context)
        if let take = recorder.takeRecorded(into: clip) {
            point = endPoint(of: take, at: point, quantization(of: content), context.timeline)
        }
        let due = context.timeline.tempo.frame(of: point.beat)
        let step = tracks[track].launch.launch(clip, isHeld: isHeld, at: point, frame: due, now: context.now)
        perform(step, on: track, &context)
    }

    @_noLocks mutating func launchPoint(
        _ quantization: Quantization, at frame: FrameTime, _ context: inout RenderContext
    ) -> LaunchPoint {
        if !context.timeline.isRolling {
            var lead = quantization.quarters(in: context.timeline.metre.timeSignature(at: Beat(rawValue: 0)))
            if case .immediate = firstLaunch { lead = 0 }
            propagate(context.timeline.start(lead: lead, at: frame), &context)
            return LaunchPoint(boundary: quantization.boundary(0), beat: Beat(rawValue: 0), isPast: false)
        }
        // Before the transport started there was no timeline: a command for then counts as one for its start.
        let frame = frame < context.timeline.rollFrame ? context.timeline.rollFrame : frame
        // Clips launched together with the one that started the transport start together with it.
        if frame == context.timeline.rollFrame, context.timeline.rollBeat.rawValue < 0 {
            if case .none = quantization {
            } else {
                return LaunchPoint(boundary: quantization.boundary(0), beat: Beat(rawValue: 0), isPast: false)
            }
        }
        let point = context.timeline.launchPoint(quantization, at: frame)
        // Only the click plays during count-in bars.
        if point.beat.rawValue < 0, point.beat >= context.timeline.countIn.start {
            if case .none = quantization { return point }
            return LaunchPoint(boundary: quantization.boundary(0), beat: Beat(rawValue: 0), isPast: false)
        }
        return point
    }

    /// Performs what is due on a track.
    @_noLocks mutating func perform(_ step: LaunchState.Step, on track: Int, _ context: inout RenderContext) {
        switch step {
        case .nothing: break
        case .stop(let boundary):
            endTake(on: track, at: boundary, &context)
            stopVoice(of: track, &context)
        case .start(let clip, let boundary):
            if postponeStart(of: clip, on: track, at: boundary, &context) { return }
            startClip(
                clip, on: track, boundary: boundary,
                isOnTime: context.timeline.tempo.frame(of: boundary) == context.now, &context)
            queueRepeat(on: track, context.timeline)
        }
    }

    /// Queues the next start of a clip that is held down.
    @_noLocks private mutating func queueRepeat(on track: Int, _ timeline: borrowing Timeline) {
        let clip = tracks[track].launch.repeating
        guard clip >= 0, let content = clips[clip] else { return }
        let grid = quantization(of: content)
        if case .none = grid { return }
        let point = timeline.launchPoint(grid, notBefore: timeline.now + 1)
        tracks[track].launch.queueStart(of: clip, at: point, frame: timeline.tempo.frame(of: point.beat))
    }

    /// Queues the tempo of a scene, which takes effect where the scene's clips start.
    @_noLocks mutating func queueTempo(_ target: Tempo, at frame: FrameTime, _ context: inout RenderContext) {
        if !context.timeline.isRolling {
            propagate(context.timeline.changeTempo(to: target, rampBeats: 0), &context)
            return
        }
        let point = launchPoint(quantization, at: frame, &context)
        let due = context.timeline.tempo.frame(of: point.beat)
        if point.isPast || due <= context.now {
            context.timeline.dropQueuedTempo()
            propagate(context.timeline.changeTempo(to: target, rampBeats: 0), &context)
        } else {
            context.timeline.queueTempo(target, boundary: point.boundary, frame: due)
        }
    }

    // MARK: Stop

    /// The content that plays on a track, or is recorded there; `nil` for none.
    @_noLocks private func contentInUse(on track: Int) -> UnsafePointer<ClipContent>? {
        let voice = tracks[track].voice
        if voice >= 0 { return clips[voices[voice].clip] ?? voices[voice].content }
        if let take = tracks[track].take { return UnsafePointer(take.pointee.content) }
        return nil
    }

    @_noLocks mutating func queueStop(track: Int, at frame: FrameTime, _ context: inout RenderContext) {
        if !context.timeline.isRolling, let take = tracks[track].take, take.pointee.saysTempo {
            stopNow(track: track, &context)
            return
        }
        guard let content = contentInUse(on: track) else {
            tracks[track].launch.cancel()
            return
        }
        let point = context.timeline.launchPoint(quantization(of: content), at: frame)
        let due = context.timeline.tempo.frame(of: point.beat)
        let step = tracks[track].launch.stop(at: point, frame: due, now: context.now)
        perform(step, on: track, &context)
    }

    @_noLocks mutating func stopNow(track: Int, _ context: inout RenderContext) {
        perform(tracks[track].launch.stop(now: context.timeline.currentBeat), on: track, &context)
    }
}
