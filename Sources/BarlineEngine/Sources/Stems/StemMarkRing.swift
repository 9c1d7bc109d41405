import BarlineDSP
import Synchronization

/// A ring of a stem's marks around the frames in a deck's ring: written by a feeder, read by the audio thread.
///
/// A ring is a handle: its copies are the same ring. Its creator calls ``deallocate()`` when no thread uses it.
struct StemMarkRing: BitwiseCopyable, @unchecked Sendable {
    private let storage: UnsafeMutablePointer<StretchMark>
    /// The number of marks appended so far.
    private let count: UnsafeMutablePointer<Atomic<Int>>

    /// The number of marks that fit, a power of two.
    private let capacity: Int

    /// Enough for the marks of 20 s at the closest permitted spacing.
    private static let markCapacity = 4_096

    /// Creates a ring for the marks of 20 s at the closest permitted spacing, or an empty one.
    init(isNeeded: Bool) {
        capacity = isNeeded ? StemMarkRing.markCapacity : 1
        storage = .allocate(capacity: capacity)
        storage.initialize(repeating: StretchMark(position: 0, isCut: false, isRestart: false), count: capacity)
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

        /// Restarts, empty. Only while the audio thread does not read the deck.
        func restart() { ring.count.pointee.store(0, ordering: .releasing) }

        /// Appends marks.
        func append(_ marks: [StretchMark]) {
            let first = ring.count.pointee.load(ordering: .relaxed)
            for (index, mark) in marks.enumerated() { ring.storage[(first + index) & (ring.capacity - 1)] = mark }
            ring.count.pointee.store(first + marks.count, ordering: .releasing)
        }
    }

    /// The end at which marks are appended.
    var writer: Writer { Writer(ring: self) }

    /// The stretch source of a voice that reads the frames in `ring`.
    @_noLocks func source(_ ring: StreamRing.Reader, pace: Double) -> StretchSource {
        // The frames first: marks are written before the frames they belong to.
        let frames = ring.stretchRing
        return StretchSource(
            ring: frames, marks: UnsafePointer(storage), markCapacity: capacity,
            markEnd: count.pointee.load(ordering: .acquiring), pace: pace)
    }
}
