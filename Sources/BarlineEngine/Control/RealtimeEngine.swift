import Synchronization

/// An engine as its ``Engine/realtimeHandle``: what a callback may ask of it, which to name a class it may not.
package enum RealtimeEngine {
    /// Renders the next frames into `block`.
    @_noLocks package static func render(_ handle: UnsafeMutableRawPointer, _ block: AudioBlock) {
        handle.assumingMemoryBound(to: Renderer.self).pointee.render(block)
    }

    /// The rate of the device that renders, in hertz.
    @_noLocks package static func deviceHertz(_ handle: UnsafeMutableRawPointer) -> Double {
        let link = handle.assumingMemoryBound(to: Renderer.self).pointee.context.link
        return Double(bitPattern: link.counters.pointee.outputRate.load(ordering: .relaxed))
    }
}
