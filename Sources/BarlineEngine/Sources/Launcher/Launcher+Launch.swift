import BarlineDSP
import BarlineTime

/// Queueing launches and stops on boundaries.
extension Launcher {
    /// The launch button of `clip` went down at `frame`.
    @_noLocks mutating func press(clip: Int, at frame: FrameTime, _ context: inout RenderContext) {
        guard let content = clips[clip], !pressFirstLoop(clip, at: frame, &context) else { return }
        let track = content.pointee.track
        switch content.pointee.launchMode {
        case .toggle:
            let isQueued = tracks[track].queue.isLaunch(of: clip)
            if isQueued || (isPlaying(clip: clip, on: track) && tracks[track].queue.isEmpty) {
                queueStop(track: track, at: frame, &context)
            } else {
                queueLaunch(clip: clip, content: content, at: frame, &context)
            }
        case .repeat:
            queueLaunch(clip: clip, content: content, at: frame, &context)
            tracks[track].heldClip = clip
            queueRepeat(on: track, context.timeline)
        case .trigger, .gate: queueLaunch(clip: clip, content: content, at: frame, &context)
        }
    }

    /// The launch button of `clip` went up at `frame`.
    @_noLocks mutating func release(clip: Int, at frame: FrameTime, _ context: inout RenderContext) {
        guard let content = clips[clip] else { return }
        let track = content.pointee.track
        switch content.pointee.launchMode {
        case .gate:
            let isOurs = tracks[track].queue.isLaunch(of: clip) || isPlaying(clip: clip, on: track)
            if isOurs { queueStop(track: track, at: frame, &context) }
        case .repeat:
            if tracks[track].heldClip == clip {
                tracks[track].heldClip = -1
                if isPlaying(clip: clip, on: track), tracks[track].queue.isLaunch(of: clip) {
                    tracks[track].queue.clear()
                }
            }
        case .trigger, .toggle: break
        }
    }

    @_noLocks func isPlaying(clip: Int, on track: Int) -> Bool {
        tracks[track].voice >= 0 && voices[tracks[track].voice].clip == clip
    }

    @_noLocks func quantization(of content: UnsafePointer<ClipContent>) -> Quantization {
        content.pointee.hasQuantization ? content.pointee.quantization : quantization
    }

    // MARK: Launch

    @_noLocks mutating func queueLaunch(
        clip: Int, content: UnsafePointer<ClipContent>, at frame: FrameTime, _ context: inout RenderContext
    ) {
        let track = content.pointee.track
        tracks[track].heldClip = -1
        var point = launchPoint(quantization(of: content), at: frame, &context)
        if let take = takeRecorded(into: clip) {
            point = endPoint(of: take, at: point, quantization(of: content), context.timeline)
        }
        let due = context.timeline.tempo.frame(of: point.beat)
        tracks[track].queue.set(.launch(clip: clip), at: point, frame: due)
        if point.isPast || due <= context.now { fireQueue(of: track, &context) }
    }

    @_noLocks mutating func launchPoint(
        _ quantization: Quantization, at frame: FrameTime, _ context: inout RenderContext
    ) -> LaunchPoint {
        if !context.timeline.isRolling {
            var lead = quantization.quarters(in: context.timeline.metre.timeSignature(at: Beat(rawValue: 0)))
            if case .immediate = firstLaunch { lead = 0 }
            give(context.timeline.start(lead: lead, at: frame), &context)
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

    /// Performs the queued request of `track`.
    @_noLocks mutating func fireQueue(of track: Int, _ context: inout RenderContext) {
        let queue = tracks[track].queue
        tracks[track].queue.clear()
        switch queue.request {
        case .nothing: break
        case .stop:
            endTake(on: track, at: queue.beat, &context)
            stopVoice(of: track, &context)
        case .launch(let clip):
            startClip(
                clip, on: track, boundary: queue.beat,
                isOnTime: context.timeline.tempo.frame(of: queue.beat) == context.now, &context)
            queueRepeat(on: track, context.timeline)
        }
    }

    /// Queues the next start of a clip that is held down.
    @_noLocks private mutating func queueRepeat(on track: Int, _ timeline: borrowing Timeline) {
        let clip = tracks[track].heldClip
        guard clip >= 0, tracks[track].queue.isEmpty, let content = clips[clip] else { return }
        let grid = quantization(of: content)
        if case .none = grid { return }
        let point = timeline.launchPoint(grid, notBefore: timeline.now + 1)
        tracks[track].queue.set(.launch(clip: clip), at: point, frame: timeline.tempo.frame(of: point.beat))
    }

    /// Queues the tempo of a scene, which takes effect where the scene's clips start.
    @_noLocks mutating func queueTempo(_ target: Tempo, at frame: FrameTime, _ context: inout RenderContext) {
        if !context.timeline.isRolling {
            give(context.timeline.changeTempo(to: target, rampBeats: 0), &context)
            return
        }
        let point = launchPoint(quantization, at: frame, &context)
        let due = context.timeline.tempo.frame(of: point.beat)
        if point.isPast || due <= context.now {
            context.timeline.dropQueuedTempo()
            give(context.timeline.changeTempo(to: target, rampBeats: 0), &context)
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
        tracks[track].queue.clear()
        tracks[track].heldClip = -1
        if !context.timeline.isRolling, let take = tracks[track].take, take.pointee.saysTempo {
            stopNow(track: track, &context)
            return
        }
        guard let content = contentInUse(on: track) else { return }
        let grid = quantization(of: content)
        let point = context.timeline.launchPoint(grid, at: frame)
        let due = context.timeline.tempo.frame(of: point.beat)
        if point.isPast || due <= context.now {
            endTake(on: track, at: point.beat, &context)
            stopVoice(of: track, &context)
        } else {
            tracks[track].queue.set(.stop, at: point, frame: due)
        }
    }

    @_noLocks mutating func stopNow(track: Int, _ context: inout RenderContext) {
        tracks[track].queue.clear()
        tracks[track].heldClip = -1
        endTake(on: track, at: context.timeline.currentBeat, &context)
        stopVoice(of: track, &context)
    }
}
