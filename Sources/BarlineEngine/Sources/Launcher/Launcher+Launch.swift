import BarlineDSP
import BarlineTime

extension Renderer {
    /// The launch button of `clip` went down at `frame`.
    @_noLocks mutating func press(clip: Int, at frame: FrameTime) {
        guard let content = clips[clip] else { return }
        let track = content.pointee.track
        switch content.pointee.launchMode {
        case .toggle:
            let isQueued = tracks[track].queue.isLaunch(of: clip)
            if isQueued || (isPlaying(clip: clip, on: track) && tracks[track].queue.isEmpty) {
                queueStop(track: track, at: frame)
            } else {
                queueLaunch(clip: clip, content: content, at: frame)
            }
        case .repeat:
            queueLaunch(clip: clip, content: content, at: frame)
            tracks[track].heldClip = clip
            queueRepeat(on: track)
        case .trigger, .gate: queueLaunch(clip: clip, content: content, at: frame)
        }
    }

    /// The launch button of `clip` went up at `frame`.
    @_noLocks mutating func release(clip: Int, at frame: FrameTime) {
        guard let content = clips[clip] else { return }
        let track = content.pointee.track
        switch content.pointee.launchMode {
        case .gate:
            let isOurs = tracks[track].queue.isLaunch(of: clip) || isPlaying(clip: clip, on: track)
            if isOurs { queueStop(track: track, at: frame) }
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

    @_noLocks private func quantization(of content: UnsafePointer<ClipContent>) -> Quantization {
        content.pointee.hasQuantization ? content.pointee.quantization : quantization
    }

    // MARK: Launch

    @_noLocks private mutating func queueLaunch(
        clip: Int, content: UnsafePointer<ClipContent>, at frame: FrameTime
    ) {
        let track = content.pointee.track
        tracks[track].heldClip = -1
        let point = launchPoint(quantization(of: content), at: frame)
        let due = timeline.tempo.frame(of: point.beat)
        tracks[track].queue.set(.launch(clip: clip), at: point, frame: due)
        if point.isPast || due <= timeline.now { fireQueue(of: track) }
    }

    @_noLocks private mutating func launchPoint(_ quantization: Quantization, at frame: FrameTime) -> LaunchPoint {
        if !timeline.isRolling {
            var lead = quantization.quarters(in: timeline.metre.timeSignature(at: Beat(rawValue: 0)))
            if case .immediate = firstLaunch { lead = 0 }
            give(timeline.start(lead: lead, at: frame))
            return LaunchPoint(boundary: quantization.boundary(0), beat: Beat(rawValue: 0), isPast: false)
        }
        // Before the roll there was no timeline: a command for then counts as one for the roll's own frame.
        let frame = frame < timeline.rollFrame ? timeline.rollFrame : frame
        // What is launched together with the clip that set the transport rolling starts together with it.
        if frame == timeline.rollFrame, timeline.rollBeat.rawValue < 0 {
            if case .none = quantization {
            } else {
                return LaunchPoint(boundary: quantization.boundary(0), beat: Beat(rawValue: 0), isPast: false)
            }
        }
        let point = LaunchGrid.point(
            at: frame, quantization: quantization, tolerance: timeline.snapTolerance,
            rollBeat: timeline.rollBeat, tempo: timeline.tempo,
            metre: timeline.metre)
        // Nothing but the click belongs into bars that are counted in.
        if point.beat.rawValue < 0, point.beat >= timeline.countIn.start {
            if case .none = quantization { return point }
            return LaunchPoint(boundary: quantization.boundary(0), beat: Beat(rawValue: 0), isPast: false)
        }
        return point
    }

    /// Does what `track` was waiting to do.
    @_noLocks mutating func fireQueue(of track: Int) {
        let queue = tracks[track].queue
        tracks[track].queue.clear()
        switch queue.request {
        case .nothing: break
        case .stop: stopVoice(of: track)
        case .launch(let clip):
            startClip(
                clip, on: track, boundary: queue.beat, isOnTime: timeline.tempo.frame(of: queue.beat) == timeline.now)
            queueRepeat(on: track)
        }
    }

    /// Queues the next start of a clip that is held down.
    @_noLocks private mutating func queueRepeat(on track: Int) {
        let clip = tracks[track].heldClip
        guard clip >= 0, tracks[track].queue.isEmpty, let content = clips[clip] else { return }
        let grid = quantization(of: content)
        if case .none = grid { return }
        let point = LaunchGrid.point(
            at: timeline.now + 1, quantization: grid, tolerance: 0, rollBeat: timeline.rollBeat, tempo: timeline.tempo,
            metre: timeline.metre)
        tracks[track].queue.set(.launch(clip: clip), at: point, frame: timeline.tempo.frame(of: point.beat))
    }

    /// A tempo that comes with a scene: it takes over where the scene's clips start.
    @_noLocks mutating func queueTempo(_ target: Tempo, at frame: FrameTime) {
        if !timeline.isRolling {
            give(timeline.changeTempo(to: target, rampBeats: 0))
            return
        }
        let point = launchPoint(quantization, at: frame)
        let due = timeline.tempo.frame(of: point.beat)
        if point.isPast || due <= timeline.now {
            timeline.dropQueuedTempo()
            give(timeline.changeTempo(to: target, rampBeats: 0))
        } else {
            timeline.queueTempo(target, boundary: point.boundary, frame: due)
        }
    }

    // MARK: Stop

    @_noLocks mutating func queueStop(track: Int, at frame: FrameTime) {
        tracks[track].queue.clear()
        tracks[track].heldClip = -1
        let voice = tracks[track].voice
        if voice < 0 { return }
        let grid = quantization(of: clips[voices[voice].clip] ?? voices[voice].content)
        let point = LaunchGrid.point(
            at: frame < timeline.rollFrame ? timeline.rollFrame : frame, quantization: grid,
            tolerance: timeline.snapTolerance, rollBeat: timeline.rollBeat,
            tempo: timeline.tempo, metre: timeline.metre)
        let due = timeline.tempo.frame(of: point.beat)
        if point.isPast || due <= timeline.now {
            stopVoice(of: track)
        } else {
            tracks[track].queue.set(.stop, at: point, frame: due)
        }
    }

    @_noLocks mutating func stopNow(track: Int) {
        tracks[track].queue.clear()
        tracks[track].heldClip = -1
        stopVoice(of: track)
    }
}
