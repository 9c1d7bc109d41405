import BarlineDSP
import BarlineTime

/// Overdubbing loops: layer by layer, each of them a pass of the loop, from the boundary on which a clip would start to
/// the one of the next request.
extension Launcher {
    /// Begins to overdub a clip on its boundary, or ends that; a clip that does not play is launched.
    @_noLocks mutating func overdub(
        _ clip: Int, _ plan: OverdubPlan, at frame: FrameTime, _ context: inout RenderContext
    ) {
        guard let content = clips[clip] else { return }
        if let take = recorder.take(of: clip), take.pointee.isWaiting { return }
        let track = content.pointee.track
        if let layer = tracks[track].overdub.layer, layer.pointee.clip == clip {
            queueEnd(ofOverdubOn: track, content, at: frame, &context)
            return
        }
        if tracks[track].overdub.queue.isLaunch(of: clip) {
            tracks[track].overdub.queue.clear()
            return
        }
        var point = LaunchPoint(boundary: .beat(Beat(rawValue: 0)), beat: Beat(rawValue: 0), isPast: true)
        if isPlaying(clip: clip, on: track) {
            point = launchPoint(quantization(of: content), at: frame, &context)
        } else {
            queueLaunch(clip: clip, content: content, at: frame, &context)
            let queue = tracks[track].queue
            if queue.isLaunch(of: clip) {
                point = LaunchPoint(boundary: queue.boundary, beat: queue.beat, isPast: false)
            } else if isPlaying(clip: clip, on: track) {
                let beat = voices[tracks[track].voice].launchBeat
                point = LaunchPoint(boundary: .beat(beat), beat: beat, isPast: true)
            } else {
                return
            }
        }
        tracks[track].overdub.plan = plan
        let due = context.timeline.tempo.frame(of: point.beat)
        tracks[track].overdub.queue.set(.launch(clip: clip), at: point, frame: due)
        if point.isPast || due <= context.now { fireOverdub(of: track, &context) }
    }

    @_noLocks private mutating func queueEnd(
        ofOverdubOn track: Int, _ content: UnsafePointer<ClipContent>, at frame: FrameTime,
        _ context: inout RenderContext
    ) {
        let grid = quantization(of: content)
        var point = launchPoint(grid, at: frame, &context)
        let earliest = tracks[track].overdub.since + context.sampleRate.frames(seconds: Take.shortestSeconds)
        if context.timeline.tempo.frame(of: point.beat) < earliest {
            point = context.timeline.launchPoint(grid, notBefore: earliest)
        }
        let due = context.timeline.tempo.frame(of: point.beat)
        tracks[track].overdub.queue.set(.stop, at: point, frame: due)
        if point.isPast || due <= context.now { fireOverdub(of: track, &context) }
    }

    /// Begins or ends the queued overdub of a track.
    @_noLocks mutating func fireOverdub(of track: Int, _ context: inout RenderContext) {
        let queue = tracks[track].overdub.queue
        switch queue.request {
        case .nothing: break
        case .stop:
            let end = context.timeline.tempo.frame(of: queue.beat)
            if let layer = tracks[track].overdub.layer, layer.pointee.cycle.end < end {
                // The passes before the end are caught up with first.
                tracks[track].overdub.queue.frame = layer.pointee.due
                return
            }
            endLayer(on: track, at: end, &context)
        case .launch(let clip):
            // The former layer must become audible first.
            if let pending = recorder.pendingLayer(of: clip) {
                tracks[track].overdub.queue.frame = pending.pointee.due
                return
            }
            tracks[track].overdub.queue.clear()
            let start = context.timeline.tempo.frame(of: queue.beat)
            tracks[track].overdub.since = start
            if !beginLayer(over: clip, on: track, at: queue.beat, &context) {
                context.emit(.launcher(.recordEnded(clip: ClipHandle(clip), track: TrackIndex(track), frames: 0)))
                return
            }
            let plan = tracks[track].overdub.plan
            context.emit(
                .launcher(
                    .recordStarted(
                        clip: ClipHandle(clip), track: TrackIndex(track), input: InputIndex(plan.input))))
            if plan.bars > 0 {
                let point = context.timeline.launchPoint(bars: plan.bars, after: queue.beat)
                tracks[track].overdub.queue.set(
                    .stop, at: point, frame: context.timeline.tempo.frame(of: point.beat))
            }
        }
    }

    /// Begins a layer at a boundary, which may have just passed.
    ///
    /// - Returns: whether that was possible: the clip plays, is a loop that follows the tempo by varispeed, and there
    ///   is memory for a pass of it.
    @_noLocks private mutating func beginLayer(
        over clip: Int, on track: Int, at boundary: Beat, _ context: inout RenderContext
    ) -> Bool {
        guard isPlaying(clip: clip, on: track), let content = clips[clip] else { return false }
        let voice = voices[tracks[track].voice]
        if voice.content != content { return false }
        let own = content.pointee
        if !own.loops || !own.isSynced || own.isWarped || own.stretch.isOn { return false }
        if own.isStreamed || context.timeline.isRamping { return false }
        let plan = tracks[track].overdub.plan
        var cycle = LayerCycle(
            over: content, from: voice.originBeat, at: boundary, feedback: plan.feedback, context.timeline)
        if let baseLayer = recorder.take(with: content), !baseLayer.pointee.isLayer || !baseLayer.pointee.isWhole {
            cycle.baseLayerReady = baseLayer.pointee.due
        }
        guard let take = recorder.suppliedLayer(of: clip, frames: cycle.length) else { return false }
        let latency = context.capture.latency(of: plan.input)
        let shortest = latency + context.sampleRate.frames(seconds: Take.shortestSeconds)
        if cycle.length < shortest { return false }
        recorder.use(take)
        take.pointee.begin(cycle, input: plan.input, latency: latency, now: context.now, sampleRate: context.sampleRate)
        tracks[track].overdub.layer = take
        return true
    }

    // MARK: Ending

    /// Ends the overdub of a track's clip, at a frame that is now or has just passed.
    @_noLocks mutating func endLayer(
        on track: Int, at end: FrameTime, isDropped: Bool = false, _ context: inout RenderContext
    ) {
        guard let take = tracks[track].overdub.layer else { return }
        tracks[track].overdub.layer = nil
        tracks[track].overdub.queue.clear()
        take.pointee.copy(context, until: context.now)
        let frames = end - take.pointee.origin
        if frames >= take.pointee.length {
            take.pointee.closeCycle(now: context.now, sampleRate: context.sampleRate)
        } else {
            take.pointee.closePart(frames, now: context.now, sampleRate: context.sampleRate)
        }
        if isDropped {
            take.pointee.cancel()
        } else if frames < Int64(take.pointee.memory.seamFrames) {
            take.pointee.drop()
        }
        if !take.pointee.cycle.isPending, !isDropped { install(layer: take, frames: context.fadeFrames, &context) }
        context.emit(
            .launcher(
                .recordEnded(
                    clip: ClipHandle(take.pointee.clip), track: TrackIndex(track),
                    frames: end - tracks[track].overdub.since)))
    }

    /// Ends the overdub of a clip now, with what was recorded so far.
    @_noLocks mutating func endLayer(of clip: Int, _ context: inout RenderContext) {
        for track in 0..<trackCount {
            if let layer = tracks[track].overdub.layer, layer.pointee.clip == clip {
                endLayer(on: track, at: context.now, &context)
            }
        }
    }

    /// Ends a pass: it becomes audible now, and the next one is recorded over it.
    @_noLocks private mutating func endCycle(_ take: UnsafeMutablePointer<Take>, _ context: inout RenderContext) {
        let track = take.pointee.track
        let clip = take.pointee.clip
        let boundary = take.pointee.cycle.endBeat
        take.pointee.copy(context, until: context.now)
        take.pointee.closeCycle(now: context.now, sampleRate: context.sampleRate)
        let isLate = take.pointee.cycle.end < context.now
        let fade = isLate ? context.fadeFrames : ClipFades.leastFrames(context.sampleRate)
        install(layer: take, frames: fade, &context)
        tracks[track].overdub.layer = nil
        var isOver = false
        if case .stop = tracks[track].overdub.queue.request {
            let end = context.timeline.tempo.frame(of: tracks[track].overdub.queue.beat)
            isOver = end <= take.pointee.cycle.end
        }
        if !isOver, beginLayer(over: clip, on: track, at: boundary, &context) { return }
        tracks[track].overdub.queue.clear()
        context.emit(
            .launcher(
                .recordEnded(
                    clip: ClipHandle(clip), track: TrackIndex(track),
                    frames: take.pointee.cycle.end - tracks[track].overdub.since)))
    }

    /// Performs what is due for a layer.
    @_noLocks mutating func performDueLayer(_ take: UnsafeMutablePointer<Take>, _ context: inout RenderContext) {
        if take.pointee.isRecording, take.pointee.due <= context.now { endCycle(take, &context) }
        if case .closed = take.pointee.stage, take.pointee.due <= context.now {
            take.pointee.completeLayer(context)
            if take.pointee.cycle.isPending {
                install(layer: take, frames: context.fadeFrames, &context)
                beginWaitingChange(on: take.pointee.track, &context)
            }
        }
        take.pointee.finishPlayed()
        if !take.pointee.isFinished { return }
        recorder.remove(take)
        if take.pointee.cycle.isDropped { context.retire(UnsafeRawPointer(take.pointee.content)) }
    }

    /// After a tempo change: ends layers whose passes would change in length.
    @_noLocks mutating func keepCycles(_ context: inout RenderContext) {
        for track in 0..<trackCount {
            guard let layer = tracks[track].overdub.layer else { continue }
            let end = context.timeline.tempo.frame(of: layer.pointee.cycle.endBeat)
            let drift = end - (layer.pointee.origin + layer.pointee.length)
            if drift >= -1, drift <= 1, !context.timeline.isRamping {
                layer.pointee.cycle.end = end
            } else {
                endLayer(on: track, at: context.now, &context)
            }
        }
    }

    /// The device's clock has jumped, or the length of a frame changes: ends layers with the frames delivered before.
    @_noLocks mutating func breakLayers(_ context: inout RenderContext) {
        for track in 0..<trackCount {
            guard let layer = tracks[track].overdub.layer else { continue }
            let frames = layer.pointee.latency + Int64(layer.pointee.memory.seamFrames)
            endLayer(on: track, at: context.now - frames, &context)
        }
    }
}
