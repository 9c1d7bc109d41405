import CKernels
import Synchronization

/// A queue of stereo frames from one thread to one other that neither locks nor allocates after its creation.
///
/// A write that does not fit is refused as a whole and counted, and so is everything after it until the reader has
/// emptied the ring: a gap is where the reader found the ring empty, and ``Consumer/readPosition`` tells how long it
/// is.
///
/// Each of the two threads has one end, whose operations are its own only. An end is a handle: its copies are the same
/// end. The creator of the ring calls ``deallocate()`` when no thread uses it.
@usableFromInline package struct AudioRing: BitwiseCopyable, Sendable {
    /// The writing thread's end.
    package let producer: Producer
    /// The reading thread's end.
    package let consumer: Consumer

    /// Creates a ring that holds at least `minimumFrames` frames: the next power of two.
    package init(minimumFrames: Int) {
        let storage = AudioRingStorage(minimumFrames: minimumFrames)
        producer = Producer(ring: storage)
        consumer = Consumer(ring: storage)
    }

    /// Frees the ring's memory.
    package func deallocate() { producer.ring.deallocate() }

    /// The end at which frames are written.
    @usableFromInline package struct Producer: BitwiseCopyable, Sendable {
        @usableFromInline let ring: AudioRingStorage

        /// Appends `frames` frames; returns `false` if they do not fit.
        @_noLocks @inlinable @discardableResult
        package func write(
            left source: UnsafePointer<Float>, right sourceRight: UnsafePointer<Float>, frames: Int
        ) -> Bool {
            let end = ring.indices.put.pointee.load(ordering: .relaxed)
            let isInterrupted =
                ring.refused.put.pointee.load(ordering: .relaxed)
                != ring.refused.taken.pointee.load(ordering: .acquiring)
            if isInterrupted || end &- ring.indices.taken.pointee.load(ordering: .acquiring) &+ frames > ring.mask + 1 {
                ring.refused.put.pointee.wrappingAdd(frames, ordering: .releasing)
                return false
            }
            let first = end & ring.mask
            let untilWrap = ring.mask + 1 - first < frames ? ring.mask + 1 - first : frames
            dsp_copy(source, ring.left + first, untilWrap)
            dsp_copy(sourceRight, ring.right + first, untilWrap)
            dsp_copy(source + untilWrap, ring.left, frames - untilWrap)
            dsp_copy(sourceRight + untilWrap, ring.right, frames - untilWrap)
            ring.indices.put.pointee.store(end &+ frames, ordering: .releasing)
            assert(ring.indices.checkInvariants(capacity: ring.mask + 1), "a ring holds what was put in and not taken")
            return true
        }
    }

    /// The end at which frames are read.
    package struct Consumer: BitwiseCopyable, Sendable {
        fileprivate let ring: AudioRingStorage

        /// The index of the next frame to read among all frames offered by the producer, refused ones included.
        package var readPosition: Int {
            ring.indices.taken.pointee.load(ordering: .relaxed)
                &+ ring.refused.taken.pointee.load(ordering: .relaxed)
        }

        /// Takes up to `frames` frames and returns how many: 0 if the ring is empty, and once where frames were refused
        /// after those read last.
        package func read(
            left target: UnsafeMutablePointer<Float>, right targetRight: UnsafeMutablePointer<Float>, frames: Int
        ) -> Int {
            let start = ring.indices.taken.pointee.load(ordering: .relaxed)
            // Read first: once it has refused a write, the producer appends nothing until the consumer has emptied the
            // ring.
            let missed = ring.refused.put.pointee.load(ordering: .acquiring)
            let available = ring.indices.put.pointee.load(ordering: .acquiring) &- start
            if available == 0 {
                ring.refused.taken.pointee.store(missed, ordering: .releasing)
                return 0
            }
            let count = min(frames, available)
            let first = start & ring.mask
            let untilWrap = min(count, ring.mask + 1 - first)
            dsp_copy(ring.left + first, target, untilWrap)
            dsp_copy(ring.right + first, targetRight, untilWrap)
            dsp_copy(ring.left, target + untilWrap, count - untilWrap)
            dsp_copy(ring.right, targetRight + untilWrap, count - untilWrap)
            ring.indices.taken.pointee.store(start &+ count, ordering: .releasing)
            assert(ring.indices.checkInvariants(capacity: ring.mask + 1), "a ring holds what was put in and not taken")
            return count
        }
    }
}

/// The memory that the two ends of an ``AudioRing`` share.
@usableFromInline
struct AudioRingStorage: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let left: UnsafeMutablePointer<Float>
    @usableFromInline let right: UnsafeMutablePointer<Float>
    @usableFromInline let mask: Int
    @usableFromInline let indices: RingIndices
    @usableFromInline let refused: RingIndices

    init(minimumFrames: Int) {
        var capacity = 64
        while capacity < minimumFrames { capacity *= 2 }
        left = .allocate(capacity: capacity)
        right = .allocate(capacity: capacity)
        // Pages are there before the audio thread writes to them.
        left.initialize(repeating: 0, count: capacity)
        right.initialize(repeating: 0, count: capacity)
        mask = capacity - 1
        indices = RingIndices()
        refused = RingIndices()
    }

    func deallocate() {
        left.deallocate()
        right.deallocate()
        indices.deallocate()
        refused.deallocate()
    }
}
