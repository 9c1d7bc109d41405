import BarlineDSP
import BarlineTime

/// The layers of loops: which one plays.
extension Launcher {
    /// Makes a layer audible in place of its base layer. If that is not audible any more, the new one is not either.
    @_noLocks mutating func install(
        layer take: UnsafeMutablePointer<Take>, frames: Int64, _ context: inout RenderContext
    ) {
        if take.pointee.cycle.isDropped { return }
        let content = UnsafePointer(take.pointee.content)
        let clip = take.pointee.clip
        guard let baseLayer = take.pointee.cycle.baseLayer, let current = clips[clip], current == baseLayer else {
            take.pointee.drop()
            return
        }
        LayerHistory(baseLayer).retireUndone(&context)
        take.pointee.content.pointee.layers.below = baseLayer
        activate(content, inPlaceOf: baseLayer, of: clip, frames: frames, &context)
        LayerHistory(content).retireBelow(keeping: LayerLinks.depth, &context)
        context.emit(
            .launcher(
                .layerAdded(
                    clip: ClipHandle(clip), track: TrackIndex(take.pointee.track),
                    layer: LayerID(take.pointee.serial), frames: take.pointee.length)))
    }

    @_noLocks private mutating func activate(
        _ content: UnsafePointer<ClipContent>, inPlaceOf old: UnsafePointer<ClipContent>, of clip: Int, frames: Int64,
        _ context: inout RenderContext
    ) {
        LayerHistory(old).note(isAudible: false)
        LayerHistory(content).note(isAudible: true)
        clips[clip] = content
        for track in 0..<trackCount where tracks[track].voice >= 0 {
            let index = tracks[track].voice
            if voices[index].clip == clip, voices[index].content == old {
                replaceContent(ofVoice: index, on: track, frames: frames, &context)
            }
        }
    }

    /// Undoes the latest layer of a clip, across 5 ms: the one being recorded, if any.
    @_noLocks mutating func undoLayer(of clip: Int, _ context: inout RenderContext) {
        guard let content = clips[clip] else { return }
        let track = content.pointee.track
        let hasWaited = tracks[track].overdub.changingClip == clip
        tracks[track].overdub.forget(clip)
        if hasWaited { return }
        if let layer = tracks[track].overdub.layer, layer.pointee.clip == clip {
            endLayer(on: track, at: context.now, isDropped: true, &context)
            return
        }
        if let pending = recorder.pendingLayer(of: clip) {
            pending.pointee.cancel()
            return
        }
        guard let below = content.pointee.layers.below else { return }
        UnsafeMutablePointer(mutating: below).pointee.layers.above = content
        activate(below, inPlaceOf: content, of: clip, frames: context.fadeFrames, &context)
        context.emit(.launcher(.layerUndone(clip: ClipHandle(clip), track: TrackIndex(track))))
    }

    /// Redoes the layer that was undone last, across 5 ms.
    @_noLocks mutating func redoLayer(of clip: Int, _ context: inout RenderContext) {
        guard let content = clips[clip], let above = content.pointee.layers.above else { return }
        let track = content.pointee.track
        if let layer = tracks[track].overdub.layer, layer.pointee.clip == clip { return }
        if let _ = recorder.pendingLayer(of: clip) { return }
        activate(above, inPlaceOf: content, of: clip, frames: context.fadeFrames, &context)
        context.emit(.launcher(.layerRedone(clip: ClipHandle(clip), track: TrackIndex(track))))
    }
}
