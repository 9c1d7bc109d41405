import Synchronization

/// The two counters of a ring: elements taken so far, and elements put in.
@usableFromInline
struct RingIndices: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let taken: UnsafePointer<Atomic<Int>>
    @usableFromInline let put: UnsafePointer<Atomic<Int>>

    // The two are written by different threads: separate cache lines avoid false sharing.
    private static let spacing = 16

    init() {
        let storage = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 2 * RingIndices.spacing)
        for index in 0..<2 * RingIndices.spacing { (storage + index).initialize(to: Atomic(0)) }
        taken = UnsafePointer(storage)
        put = UnsafePointer(storage + RingIndices.spacing)
    }

    /// Whether the invariants hold: no more was taken than was put in, and no more is held than fits. Called by one of
    /// the two ends, whose own counter does not change meanwhile.
    @_noLocks @usableFromInline func checkInvariants(capacity: Int) -> Bool {
        let first = taken.pointee.load(ordering: .acquiring)
        let count = put.pointee.load(ordering: .acquiring) &- first
        // The other end may have advanced between the two loads.
        let last = put.pointee.load(ordering: .relaxed) &- taken.pointee.load(ordering: .acquiring)
        return count >= 0 && last <= capacity
    }

    func deallocate() {
        let storage = UnsafeMutablePointer(mutating: taken)
        storage.deinitialize(count: 2 * RingIndices.spacing)
        storage.deallocate()
    }
}
