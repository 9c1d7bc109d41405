/// The layers of a clip, from the one that is heard on: those below it, which undo goes back to, and those above it,
/// which were undone. Their contents are linked; each layer but the one that is heard is in one of the two chains.
struct LayerHistory: BitwiseCopyable, @unchecked Sendable {
    /// The content that is heard.
    private let content: UnsafePointer<ClipContent>

    @_noLocks init(_ content: UnsafePointer<ClipContent>) { self.content = content }

    /// Tells the control side whether the layer is the one that is heard.
    @_noLocks func note(isAudible: Bool) {
        guard let flag = content.pointee.layers.audibleFlag else { return }
        flag.pointee.isAudible.store(isAudible, ordering: .releasing)
    }

    /// Puts a layer below all others, or above all that were undone.
    ///
    /// - Complexity: O(*n*) in the layers on that side.
    @_noLocks func add(_ layer: UnsafePointer<ClipContent>, isAbove: Bool) {
        var last = content
        if isAbove {
            while let next = last.pointee.layers.above { last = next }
            UnsafeMutablePointer(mutating: last).pointee.layers.above = layer
            UnsafeMutablePointer(mutating: layer).pointee.layers.below = last
        } else {
            while let next = last.pointee.layers.below { last = next }
            UnsafeMutablePointer(mutating: last).pointee.layers.below = layer
        }
    }

    /// Has all layers start where another content does.
    ///
    /// - Complexity: O(*n*) in the layers.
    @_noLocks func takeStart(of other: ClipContent) {
        UnsafeMutablePointer(mutating: content).pointee.takeStart(of: other)
        var next = content.pointee.layers.below
        while let layer = next {
            UnsafeMutablePointer(mutating: layer).pointee.takeStart(of: other)
            next = layer.pointee.layers.below
        }
        next = content.pointee.layers.above
        while let layer = next {
            UnsafeMutablePointer(mutating: layer).pointee.takeStart(of: other)
            next = layer.pointee.layers.above
        }
    }

    // MARK: Retirement

    /// Retires the content with all of its layers.
    @_noLocks func retireAll(_ context: inout RenderContext) {
        retireUndone(&context)
        retireBelow(keeping: 0, &context)
        note(isAudible: false)
        context.retire(UnsafeRawPointer(content))
    }

    /// Retires the layers that were undone.
    @_noLocks func retireUndone(_ context: inout RenderContext) {
        var next = content.pointee.layers.above
        UnsafeMutablePointer(mutating: content).pointee.layers.above = nil
        while let layer = next {
            next = layer.pointee.layers.above
            context.retire(UnsafeRawPointer(layer))
        }
    }

    /// Retires the layers below, except for the `count` nearest.
    @_noLocks func retireBelow(keeping count: Int, _ context: inout RenderContext) {
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
