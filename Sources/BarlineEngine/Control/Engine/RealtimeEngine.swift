import Synchronization

/// The engine behind an ``Engine/realtimeHandle``: entry points for a callback that must not reference a class.
package enum RealtimeEngine {
    /// Renders the next frames into `block`.
    @_noLocks package static func render(_ handle: UnsafeMutableRawPointer, _ block: AudioBlock) {
        handle.assumingMemoryBound(to: Renderer.self).pointee.render(block)
    }

    /// The frame that is rendered next.
    @_noLocks package static func frame(_ handle: UnsafeMutableRawPointer) -> Int64 {
        handle.assumingMemoryBound(to: Renderer.self).pointee.context.now.rawValue
    }

    /// The rate of the device that renders, in hertz.
    @_noLocks package static func deviceHertz(_ handle: UnsafeMutableRawPointer) -> Double {
        let link = handle.assumingMemoryBound(to: Renderer.self).pointee.context.link
        return Double(bitPattern: link.counters.pointee.outputRate.load(ordering: .relaxed))
    }
}
