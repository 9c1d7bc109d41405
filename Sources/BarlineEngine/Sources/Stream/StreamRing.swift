import BarlineDSP
import CKernels
import Synchronization

/// A window of a stream that moves along with playback: written ahead by a feeder, read by the audio thread, each
/// through an end of its own.
///
/// Frames are addressed by their number in the stream. Frame `n` lies in slot `n mod capacity`, and the first slots are
/// repeated after the last ones if spans must be contiguous, as the interpolator requires.
///
/// A ring is a handle: its copies are the same ring. Its creator calls ``deallocate()`` when no thread uses it.
struct StreamRing: BitwiseCopyable, @unchecked Sendable {
    /// The feeder's end.
    let writer: Writer
    /// The audio thread's end.
    let reader: Reader
    private let storage: UnsafeMutablePointer<Storage>

    /// The memory shared by the two ends.
    fileprivate struct Storage: ~Copyable {
        let left: UnsafeMutablePointer<Float>
        let right: UnsafeMutablePointer<Float>
        /// The capacity in frames, a power of two.
        let capacity: Int
        /// The longest contiguous span, in frames.
        let overlap: Int
        /// Frames before this one were never written.
        let oldest = Atomic<Int64>(0)
        /// Frames before this one are written.
        let written = Atomic<Int64>(0)
        /// Frames before this one are not needed any more.
        let released = Atomic<Int64>(0)
        /// The frame after the last one, once it is known.
        let end = Atomic<Int64>(.max)

        init(capacity: Int, overlap: Int) {
            self.capacity = capacity
            self.overlap = overlap
            // Not touched before a feeder writes to it: an unused ring takes no memory.
            left = .allocate(capacity: capacity + overlap)
            right = .allocate(capacity: capacity + overlap)
        }

        deinit {
            left.deallocate()
            right.deallocate()
        }

        @_noLocks borrowing func release(before frame: Int64) {
            if frame > released.load(ordering: .relaxed) { released.store(frame, ordering: .releasing) }
        }
    }

    /// Creates a ring that holds `capacity` frames, a power of two, with contiguous spans of up to `overlap` frames.
    init(capacity: Int, overlap: Int = 0) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a ring's slots are a power of two")
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(capacity: capacity, overlap: overlap))
        writer = Writer(ring: UnsafePointer(storage))
        reader = Reader(ring: UnsafePointer(storage))
    }

    /// Frees the ring's memory.
    func deallocate() {
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// The end at which frames are written.
    struct Writer: BitwiseCopyable, @unchecked Sendable {
        fileprivate let ring: UnsafePointer<Storage>

        /// Restarts at `frame`. Only while the audio thread does not read the ring.
        func restart(at frame: Int64) {
            ring.pointee.oldest.store(frame, ordering: .relaxed)
            ring.pointee.end.store(.max, ordering: .relaxed)
            ring.pointee.released.store(frame, ordering: .releasing)
            ring.pointee.written.store(frame, ordering: .releasing)
            assert(checkInvariants(), "a ring that begins anew is empty")
        }

        /// Whether the invariants hold: written frames are not before the oldest, and are no more than fit. Holds
        /// whatever the reader does meanwhile, which can only free room.
        func checkInvariants() -> Bool {
            let written = ring.pointee.written.load(ordering: .relaxed)
            return ring.pointee.oldest.load(ordering: .relaxed) <= written
                && written - ring.pointee.released.load(ordering: .acquiring) <= Int64(ring.pointee.capacity)
        }

        /// Skips frames that were passed while a source was too slow.
        func skip(to frame: Int64) {
            ring.pointee.oldest.store(frame, ordering: .relaxed)
            ring.pointee.written.store(frame, ordering: .releasing)
            assert(checkInvariants(), "what is left out was not needed")
        }

        /// Releases the frames before `frame`. Only while the audio thread does not read the ring.
        func release(before frame: Int64) { ring.pointee.release(before: frame) }

        /// Frames before this one are written.
        var written: Int64 { ring.pointee.written.load(ordering: .acquiring) }

        /// Frames before this one are not needed any more.
        var released: Int64 { ring.pointee.released.load(ordering: .acquiring) }

        /// The number of frames that may be written now.
        var room: Int { ring.pointee.capacity - Int(written - released) }

        /// The frame after the last one; the end of time while unknown.
        var end: Int64 { ring.pointee.end.load(ordering: .acquiring) }

        /// Sets the frame after the last one.
        func setEnd(_ frame: Int64) { ring.pointee.end.store(frame, ordering: .releasing) }

        /// Appends frames, for which there must be ``room``.
        func append(_ sourceLeft: UnsafePointer<Float>, _ sourceRight: UnsafePointer<Float>, count: Int) {
            let first = ring.pointee.written.load(ordering: .relaxed)
            put(sourceLeft, into: ring.pointee.left, at: first, count)
            put(sourceRight, into: ring.pointee.right, at: first, count)
            ring.pointee.written.store(first + Int64(count), ordering: .releasing)
            assert(checkInvariants(), "frames are put where there is room")
        }

        /// The memory for the next `count` frames, for which there must be ``room``, to be written in place and then
        /// published; `nil` where they lie across the ring's end.
        func place(for count: Int) -> (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)? {
            let slot = Int(ring.pointee.written.load(ordering: .relaxed)) & (ring.pointee.capacity - 1)
            guard slot + count <= ring.pointee.capacity else { return nil }
            return (ring.pointee.left + slot, ring.pointee.right + slot)
        }

        /// Publishes `count` frames that were written in place.
        func publish(count: Int) {
            let first = ring.pointee.written.load(ordering: .relaxed)
            let slot = Int(first) & (ring.pointee.capacity - 1)
            repeatFirst(in: ring.pointee.left, from: slot, count)
            repeatFirst(in: ring.pointee.right, from: slot, count)
            ring.pointee.written.store(first + Int64(count), ordering: .releasing)
            assert(checkInvariants(), "frames are put where there is room")
        }

        /// Repeats those of `count` frames from `slot` on that are among the first ones after the last ones.
        private func repeatFirst(in samples: UnsafeMutablePointer<Float>, from slot: Int, _ count: Int) {
            let (capacity, overlap) = (ring.pointee.capacity, ring.pointee.overlap)
            if slot < overlap { dsp_copy(samples + slot, samples + (capacity + slot), min(count, overlap - slot)) }
        }

        private func put(
            _ source: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>, at frame: Int64, _ count: Int
        ) {
            let capacity = ring.pointee.capacity
            var done = 0
            while done < count {
                let slot = (Int(frame) + done) & (capacity - 1)
                let piece = min(count - done, capacity - slot)
                dsp_copy(source + done, samples + slot, piece)
                repeatFirst(in: samples, from: slot, piece)
                done += piece
            }
        }
    }

    /// The end at which frames are read.
    struct Reader: BitwiseCopyable, @unchecked Sendable {
        fileprivate let ring: UnsafePointer<Storage>

        /// The frame at which it started, or resumed after a skip.
        var first: Int64 { @_noLocks get { ring.pointee.oldest.load(ordering: .acquiring) } }

        /// Frames before this one are written.
        var written: Int64 { @_noLocks get { ring.pointee.written.load(ordering: .acquiring) } }

        /// The frame after the last one; the end of time while unknown.
        var end: Int64 { @_noLocks get { ring.pointee.end.load(ordering: .acquiring) } }

        /// The first frame that is present and stays so.
        var firstReadable: Int64 {
            @_noLocks get {
                let first = self.first
                let kept = ring.pointee.released.load(ordering: .relaxed)
                return kept > first ? kept : first
            }
        }

        /// Whether the frames `first ..< end` are present.
        @_noLocks func holds(_ first: Int64, _ end: Int64) -> Bool { end <= written && first >= firstReadable }

        /// Releases the frames before `frame`. They can't be reclaimed, because a feeder may be overwriting them.
        @_noLocks func release(before frame: Int64) { ring.pointee.release(before: frame) }

        /// The frames `first ..< first + length`, at most as many as a contiguous span has.
        @_noLocks func region(from first: Int64, length: Int) -> SourceRegion {
            let slot = Int(first) & (ring.pointee.capacity - 1)
            return SourceRegion(
                left: UnsafePointer(ring.pointee.left + slot), right: UnsafePointer(ring.pointee.right + slot),
                length: length)
        }

        /// The ring in the form that stretch voices read.
        var stretchRing: StretchRing {
            @_noLocks get {
                StretchRing(
                    left: UnsafePointer(ring.pointee.left), right: UnsafePointer(ring.pointee.right),
                    capacity: ring.pointee.capacity, overlap: ring.pointee.overlap, first: firstReadable, end: written)
            }
        }

        /// Copies the `count` frames from `frame` on; frames not written yet are silent.
        @_noLocks func read(
            at frame: Int64, count: Int, left target: UnsafeMutablePointer<Float>,
            right targetRight: UnsafeMutablePointer<Float>
        ) {
            let (left, right, capacity) = (ring.pointee.left, ring.pointee.right, ring.pointee.capacity)
            let ready = written - frame
            let there = ready <= 0 ? 0 : ready < Int64(count) ? Int(ready) : count
            let slot = Int(truncatingIfNeeded: frame) & (capacity - 1)
            let untilWrap = capacity - slot < there ? capacity - slot : there
            dsp_copy(left + slot, target, untilWrap)
            dsp_copy(right + slot, targetRight, untilWrap)
            dsp_copy(left, target + untilWrap, there - untilWrap)
            dsp_copy(right, targetRight + untilWrap, there - untilWrap)
            dsp_clear(target + there, count - there)
            dsp_clear(targetRight + there, count - there)
        }
    }
}
