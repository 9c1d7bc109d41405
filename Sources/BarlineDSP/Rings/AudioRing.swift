import CKernels
import Synchronization

/// A queue of stereo frames from one thread to one other that neither locks nor allocates after its creation.
///
/// A write that does not fit is refused as a whole and counted, and so is all that follows until the reader has taken what
/// is there: a hole is where the reader has found the ring empty, and ``readPosition`` says how long it is.
///
/// A ring is a handle: its copies are the same queue. Whoever made it calls ``deallocate()`` when no thread uses it.
@usableFromInline package struct AudioRing: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let left: UnsafeMutablePointer<Float>
    @usableFromInline let right: UnsafeMutablePointer<Float>
    @usableFromInline let mask: Int
    @usableFromInline let indices: RingIndices
    @usableFromInline let refused: RingIndices

    /// Creates a ring that holds at least `minimumFrames` frames: the next power of two.
    package init(minimumFrames: Int) {
        var capacity = 64
        while capacity < minimumFrames { capacity *= 2 }
        left = .allocate(capacity: capacity)
        right = .allocate(capacity: capacity)
        mask = capacity - 1
        indices = RingIndices()
        refused = RingIndices()
    }

    /// Frees the ring's memory.
    package func deallocate() {
        left.deallocate()
        right.deallocate()
        indices.deallocate()
        refused.deallocate()
    }

    /// Frames that were refused because the reader was too slow.
    package var refusedFrames: Int { refused.put.pointee.load(ordering: .relaxed) }

    /// The number, among all frames that the producer had, of the one that is read next; what was refused before it
    /// counts. For the consumer only.
    package var readPosition: Int {
        indices.taken.pointee.load(ordering: .relaxed) &+ refused.taken.pointee.load(ordering: .relaxed)
    }

    /// Frames that can be read now.
    package var availableFrames: Int {
        indices.put.pointee.load(ordering: .acquiring) &- indices.taken.pointee.load(ordering: .relaxed)
    }

    /// Appends `frames` frames; `false` where they do not fit. For the producer only.
    @_noLocks @inlinable @discardableResult
    package func write(
        left source: UnsafePointer<Float>, right sourceRight: UnsafePointer<Float>, frames: Int
    ) -> Bool {
        let end = indices.put.pointee.load(ordering: .relaxed)
        let isInterrupted =
            refused.put.pointee.load(ordering: .relaxed) != refused.taken.pointee.load(ordering: .acquiring)
        if isInterrupted || end &- indices.taken.pointee.load(ordering: .acquiring) &+ frames > mask + 1 {
            refused.put.pointee.wrappingAdd(frames, ordering: .releasing)
            return false
        }
        let first = end & mask
        let untilWrap = mask + 1 - first < frames ? mask + 1 - first : frames
        dsp_copy(source, left + first, untilWrap)
        dsp_copy(sourceRight, right + first, untilWrap)
        dsp_copy(source + untilWrap, left, frames - untilWrap)
        dsp_copy(sourceRight + untilWrap, right, frames - untilWrap)
        indices.put.pointee.store(end &+ frames, ordering: .releasing)
        return true
    }

    /// Takes up to `frames` frames and returns how many: 0 once where frames were refused after those read last, and
    /// where there is nothing. For the consumer only.
    package func read(
        left target: UnsafeMutablePointer<Float>, right targetRight: UnsafeMutablePointer<Float>, frames: Int
    ) -> Int {
        let start = indices.taken.pointee.load(ordering: .relaxed)
        // Looked at first: once it has refused something, the producer puts nothing until it is told to go on.
        let missed = refused.put.pointee.load(ordering: .acquiring)
        let available = indices.put.pointee.load(ordering: .acquiring) &- start
        if available == 0 {
            refused.taken.pointee.store(missed, ordering: .releasing)
            return 0
        }
        let count = min(frames, available)
        let first = start & mask
        let untilWrap = min(count, mask + 1 - first)
        dsp_copy(left + first, target, untilWrap)
        dsp_copy(right + first, targetRight, untilWrap)
        dsp_copy(left, target + untilWrap, count - untilWrap)
        dsp_copy(right, targetRight + untilWrap, count - untilWrap)
        indices.taken.pointee.store(start &+ count, ordering: .releasing)
        return count
    }
}
