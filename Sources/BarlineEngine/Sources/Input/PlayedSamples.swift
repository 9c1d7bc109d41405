import BarlineTime

/// The memory for what an input gives during the pass of a layer, as it was captured, with a margin before and after
/// it: so that the layer can be mixed again at another latency. It belongs to a ``TakeMemory``.
struct PlayedSamples: BitwiseCopyable, @unchecked Sendable {
    /// The memory's first frame.
    let left: UnsafeMutablePointer<Float>
    /// The same as ``left`` for an input of one channel.
    let right: UnsafeMutablePointer<Float>
    /// The number of frames before the pass's first one.
    let framesBefore: Int
    /// The number of frames kept after the last one that is mixed.
    let framesAfter: Int

    /// Copies `count` frames of an input, from frame `index` of the pass on.
    @_noLocks func copy(
        _ capture: borrowing Capture, input: Int, from frame: FrameTime, to index: Int, count: Int
    ) {
        let place = framesBefore + index
        capture.read(input, from: frame, count: count, left: left + place, right: right + place)
    }
}
