import BarlineDSP
import BarlineTime

/// Performing commands to clips and tracks.
extension Launcher {
    /// Performs a command scheduled for `frame`, which is now or, if the command is late, before.
    @_noLocks mutating func perform(_ action: Launcher.Action, at frame: FrameTime, _ context: inout RenderContext) {
        resolveStaleLaunches(context.timeline)
        switch action {
        case .launch(let clip): press(clip: clip, at: frame, &context)
        case .release(let clip): release(clip: clip, at: frame, &context)
        case .stop(let track): queueStop(track: track, at: frame, &context)
        case .stopNow(let track): stopNow(track: track, &context)
        case .stopAll: for track in 0..<trackCount { queueStop(track: track, at: frame, &context) }
        case .stopAllNow: for track in 0..<trackCount { stopNow(track: track, &context) }
        case .stopFirstLoops:
            for track in 0..<trackCount {
                if let take = tracks[track].take, take.pointee.saysTempo { stopNow(track: track, &context) }
            }
        case .launchTempo(let target): queueTempo(target, at: frame, &context)
        case .quantization(let value): quantization = value
        case .firstLaunch(let value): firstLaunch = value
        case .install(let clip, let content):
            if let current = clips[clip], content.pointee.basis != 0, content.pointee.basis != current.pointee.serial {
                setStart(of: clip, current, as: content, &context)
            } else {
                install(clip: clip, content: content, &context)
            }
        case .remove(let clip): remove(clip: clip, &context)
        case .clipGain(let clip, let gain): pool.changeGain(ofClip: clip, to: gain, context.timeline)
        case .supply(let stretching): pool.stretchPool = stretching
        case .supplyTake(let take): install(take, &context)
        case .keepLast(let clip, let bars): keepLast(bars: bars, as: clip, at: frame, &context)
        case .supplyLayer(let take): recorder.supply(take)
        case .link(let clip, let layer, let isAbove):
            if let content = clips[clip] {
                LayerHistory(content).add(layer, isAbove: isAbove)
            } else {
                context.retire(UnsafeRawPointer(layer))
            }
        case .overdub(let clip, let plan): overdub(clip, plan, at: frame, &context)
        case .endOverdub(let clip): endLayer(of: clip, &context)
        case .changeLoop(let clip, let plan): changeLoop(of: clip, plan, at: frame, &context)
        case .undoLayer(let clip): undoLayer(of: clip, &context)
        case .redoLayer(let clip): redoLayer(of: clip, &context)
        case .monitor(let track, let input, let mode): tracks[track].monitor.request(input, mode)
        }
        forgetDue()
    }

    /// Replaces a clip's content. If the clip plays, it continues with the new content at its position there, across a
    /// short crossfade.
    @_noLocks mutating func install(
        clip: Int, content: UnsafePointer<ClipContent>, _ context: inout RenderContext
    ) {
        let old = clips[clip]
        if let _ = old { endLayer(of: clip, &context) }
        clips[clip] = content
        guard let old else { return }
        forgetTake(of: clip, &context)
        if old.pointee.track != content.pointee.track {
            tracks[old.pointee.track].launch.cancel(clip)
        }
        for track in 0..<trackCount where tracks[track].voice >= 0 {
            let index = tracks[track].voice
            if voices[index].clip == clip, voices[index].content == old {
                replaceContent(ofVoice: index, on: track, frames: context.fadeFrames, &context)
            }
        }
        LayerHistory(old).retireAll(&context)
    }

    /// Has a clip that was edited, or recorded over, since a start position was asked for start there.
    @_noLocks private mutating func setStart(
        of clip: Int, _ current: UnsafePointer<ClipContent>, as content: UnsafePointer<ClipContent>,
        _ context: inout RenderContext
    ) {
        let before = current.pointee
        LayerHistory(current).takeStart(of: content.pointee)
        for track in 0..<trackCount where tracks[track].voice >= 0 {
            let index = tracks[track].voice
            if voices[index].clip == clip, voices[index].content == current {
                replaceContent(ofVoice: index, on: track, frames: context.fadeFrames, before: before, &context)
            }
        }
        context.retire(UnsafeRawPointer(content))
    }

    @_noLocks private mutating func remove(clip: Int, _ context: inout RenderContext) {
        guard let old = clips[clip] else { return }
        endLayer(of: clip, &context)
        forgetTake(of: clip, &context)
        recorder.retireSupplied(of: clip, &context)
        for track in 0..<trackCount {
            tracks[track].overdub.forget(clip)
            if tracks[track].launch.remove(clip) { stopVoice(of: track, &context) }
        }
        clips[clip] = nil
        LayerHistory(old).retireAll(&context)
    }
}
