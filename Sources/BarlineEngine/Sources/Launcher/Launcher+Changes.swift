import BarlineDSP
import BarlineTime

/// Changes of whole loops: a layer that is computed from the loop alone, and takes over on a boundary.
extension Launcher {
    /// Changes a loop. An overdub of it ends, and becomes audible first.
    @_noLocks mutating func changeLoop(
        of clip: Int, _ plan: LoopChangePlan, at frame: FrameTime, _ context: inout RenderContext
    ) {
        guard let content = clips[clip] else { return }
        if let take = recorder.take(of: clip), take.pointee.isWaiting || take.pointee.isRecording { return }
        let track = content.pointee.track
        tracks[track].overdub.forget(clip)
        if let layer = tracks[track].overdub.layer, layer.pointee.clip == clip {
            endLayer(on: track, at: context.now, &context)
        }
        var boundary = context.timeline.currentBeat
        if isPlaying(clip: clip, on: track), context.timeline.isRolling {
            boundary = launchPoint(plan.hasGrid ? plan.grid : quantization(of: content), at: frame, &context).beat
        }
        if let _ = recorder.pendingLayer(of: clip) {
            tracks[track].overdub.changingClip = clip
            tracks[track].overdub.change = plan.change
            tracks[track].overdub.changeBeat = boundary
            return
        }
        beginChange(of: clip, plan.change, from: boundary, &context)
    }

    /// Begins the change that has waited for an overdub of its loop.
    @_noLocks mutating func beginWaitingChange(on track: Int, _ context: inout RenderContext) {
        let clip = tracks[track].overdub.changingClip
        if clip < 0 { return }
        if let _ = recorder.pendingLayer(of: clip) { return }
        tracks[track].overdub.changingClip = -1
        beginChange(of: clip, tracks[track].overdub.change, from: tracks[track].overdub.changeBeat, &context)
    }

    @_noLocks private mutating func beginChange(
        of clip: Int, _ change: LoopChange, from boundary: Beat, _ context: inout RenderContext
    ) {
        guard let content = clips[clip] else { return }
        let own = content.pointee
        var cycle = LayerCycle(change, of: content, until: boundary, context.timeline)
        let shortest = context.sampleRate.frames(seconds: Take.shortestSeconds)
        guard own.loops, own.isSynced, !own.isWarped, !own.stretch.isOn, !own.isStreamed,
            cycle.length >= shortest,
            let take = recorder.suppliedLayer(of: clip, frames: cycle.length)
        else {
            context.emit(
                .launcher(.recordEnded(clip: ClipHandle(clip), track: TrackIndex(own.track), frames: 0)))
            return
        }
        if let baseLayer = recorder.take(with: content), !baseLayer.pointee.isWhole {
            cycle.baseLayerReady = baseLayer.pointee.due
        }
        recorder.use(take)
        take.pointee.begin(change: cycle, now: context.now, sampleRate: context.sampleRate)
    }

    /// Recomputes when pending changes take over, after the tempo has changed; at once if the timeline has ended.
    @_noLocks func retimeChanges(isOver: Bool, _ timeline: borrowing Timeline) {
        if isOver {
            for track in 0..<trackCount { tracks[track].overdub.changeBeat = timeline.currentBeat }
        }
        recorder.retimeChanges(isOver: isOver, timeline)
    }
}
