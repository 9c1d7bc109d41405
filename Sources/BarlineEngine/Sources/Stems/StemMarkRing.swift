import BarlineDSP
import Synchronization

/// The marks of a stem around what is in a deck's ring: put in by a feeder, read by the audio thread.
///
/// A ring is a handle: its copies are the same ring. Whoever made it calls ``deallocate()`` when no thread uses it.
struct StemMarkRing: BitwiseCopyable, @unchecked Sendable {
    private let storage: UnsafeMutablePointer<StretchMark>
    /// How many have been put in.
    private let count: UnsafeMutablePointer<Atomic<Int>>

    /// Marks that fit, a power of two.
    private let capacity: Int

    /// The marks of 20 s where each follows the one before as closely as they do at most.
    private static let markCapacity = 4_096

    /// A ring for the marks of 20 s where each follows the one before as closely as they do at most, or for none.
    init(isNeeded: Bool) {
        capacity = isNeeded ? StemMarkRing.markCapacity : 1
        storage = .allocate(capacity: capacity)
        storage.initialize(repeating: StretchMark(position: 0, isCut: false, isFresh: false), count: capacity)
        count = .allocate(capacity: 1)
        count.initialize(to: Atomic(0))
    }

    func deallocate() {
        storage.deallocate()
        count.deinitialize(count: 1)
        count.deallocate()
    }

    /// The feeder's end.
    struct Writer: Sendable {
        fileprivate let ring: StemMarkRing

        /// Begins anew, empty. Only while the audio thread does not read the deck.
        func restart() { ring.count.pointee.store(0, ordering: .releasing) }

        /// Puts marks behind those that are there.
        func append(_ marks: [StretchMark]) {
            let first = ring.count.pointee.load(ordering: .relaxed)
            for (index, mark) in marks.enumerated() { ring.storage[(first + index) & (ring.capacity - 1)] = mark }
            ring.count.pointee.store(first + marks.count, ordering: .releasing)
        }
    }

    /// The end at which marks are put in.
    var writer: Writer { Writer(ring: self) }

    /// What a voice stretches of the frames in `ring`.
    @_noLocks func source(_ ring: StreamRing.Reader, pace: Double) -> StretchSource {
        // The frames first: marks are there before what they are in.
        let frames = ring.stretchRing
        return StretchSource(
            ring: frames, marks: UnsafePointer(storage), markCapacity: capacity,
            markEnd: count.pointee.load(ordering: .acquiring), pace: pace)
    }
}
