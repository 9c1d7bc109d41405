import BarlineDSP
import BarlineTime

/// The layers of loops: which one plays, and the undo history.
extension Launcher {
    // MARK: Switching layers

    /// Makes a layer audible in place of its base layer. If that is not audible any more, the new one is not either.
    @_noLocks mutating func install(
        layer take: UnsafeMutablePointer<Take>, frames: Int64, _ context: inout RenderContext
    ) {
        if take.pointee.turn.isDropped { return }
        let content = UnsafePointer(take.pointee.content)
        let clip = take.pointee.clip
        guard let bed = take.pointee.turn.bed, let current = clips[clip], current == bed else {
            take.pointee.drop()
            return
        }
        retireAbove(bed, &context)
        take.pointee.content.pointee.layers.below = bed
        hear(content, inPlaceOf: bed, of: clip, frames: frames, &context)
        retireBelow(content, keeping: LayerLinks.depth, &context)
        context.emit(
            .launcher(
                .layerAdded(
                    clip: ClipHandle(clip), track: TrackIndex(take.pointee.track),
                    layer: LayerID(take.pointee.serial), frames: take.pointee.length)))
    }

    @_noLocks private mutating func hear(
        _ content: UnsafePointer<ClipContent>, inPlaceOf old: UnsafePointer<ClipContent>, of clip: Int, frames: Int64,
        _ context: inout RenderContext
    ) {
        note(old, isHeard: false)
        note(content, isHeard: true)
        clips[clip] = content
        for track in 0..<trackCount where tracks[track].voice >= 0 {
            let index = tracks[track].voice
            if voices[index].clip == clip, voices[index].content == old {
                replaceContent(ofVoice: index, on: track, frames: frames, &context)
            }
        }
    }

    @_noLocks private func note(_ content: UnsafePointer<ClipContent>, isHeard: Bool) {
        guard let flag = content.pointee.layers.heard else { return }
        flag.pointee.isHeard.store(isHeard, ordering: .releasing)
    }

    /// Puts a layer below all layers of a clip, or above all undone ones.
    @_noLocks func link(
        _ layer: UnsafePointer<ClipContent>, toClip clip: Int, isAbove: Bool, _ context: inout RenderContext
    ) {
        guard var last = clips[clip] else {
            context.retire(UnsafeRawPointer(layer))
            return
        }
        if isAbove {
            while let next = last.pointee.layers.above { last = next }
            UnsafeMutablePointer(mutating: last).pointee.layers.above = layer
            UnsafeMutablePointer(mutating: layer).pointee.layers.below = last
        } else {
            while let next = last.pointee.layers.below { last = next }
            UnsafeMutablePointer(mutating: last).pointee.layers.below = layer
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
        hear(below, inPlaceOf: content, of: clip, frames: context.fadeFrames, &context)
        context.emit(.launcher(.layerUndone(clip: ClipHandle(clip), track: TrackIndex(track))))
    }

    /// Redoes the layer that was undone last, across 5 ms.
    @_noLocks mutating func redoLayer(of clip: Int, _ context: inout RenderContext) {
        guard let content = clips[clip], let above = content.pointee.layers.above else { return }
        let track = content.pointee.track
        if let layer = tracks[track].overdub.layer, layer.pointee.clip == clip { return }
        if let _ = recorder.pendingLayer(of: clip) { return }
        hear(above, inPlaceOf: content, of: clip, frames: context.fadeFrames, &context)
        context.emit(.launcher(.layerRedone(clip: ClipHandle(clip), track: TrackIndex(track))))
    }

    // MARK: Retirement

    /// Retires the former content of a clip, with all of its layers.
    @_noLocks func retireLayers(of content: UnsafePointer<ClipContent>, _ context: inout RenderContext) {
        retireAbove(content, &context)
        retireBelow(content, keeping: 0, &context)
        note(content, isHeard: false)
        context.retire(UnsafeRawPointer(content))
    }

    /// Retires the undone layers.
    @_noLocks private func retireAbove(_ content: UnsafePointer<ClipContent>, _ context: inout RenderContext) {
        var next = content.pointee.layers.above
        UnsafeMutablePointer(mutating: content).pointee.layers.above = nil
        while let layer = next {
            next = layer.pointee.layers.above
            context.retire(UnsafeRawPointer(layer))
        }
    }

    /// Retires the layers below one, except for the `count` nearest.
    @_noLocks private func retireBelow(
        _ content: UnsafePointer<ClipContent>, keeping count: Int, _ context: inout RenderContext
    ) {
        var last = content
        var kept = 0
        while kept < count, let below = last.pointee.layers.below {
            last = below
            kept += 1
        }
        var next = last.pointee.layers.below
        UnsafeMutablePointer(mutating: last).pointee.layers.below = nil
        while let layer = next {
            next = layer.pointee.layers.below
            context.retire(UnsafeRawPointer(layer))
        }
    }
}
