import Synchronization

/// A queue from one thread to one other that neither locks nor allocates after its creation.
///
/// One thread may push, one may pop, at the same time. What was pushed is popped once, in order. A push onto a full
/// ring fails and changes nothing: the caller decides whether that is an error. For several producers, serialise
/// them with a lock that the consumer never takes.
///
/// A ring is a handle: its copies are the same queue. Whoever made it calls ``deallocate()`` when no thread uses it.
@usableFromInline package struct SPSCRing<Element: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
    @usableFromInline let storage: UnsafeMutablePointer<Element>
    @usableFromInline let mask: Int
    @usableFromInline let indices: RingIndices

    /// Creates a ring that holds at least `minimumCapacity` elements: the next power of two.
    package init(minimumCapacity: Int) {
        var capacity = 2
        while capacity < minimumCapacity { capacity *= 2 }
        storage = .allocate(capacity: capacity)
        mask = capacity - 1
        indices = RingIndices()
    }

    /// Frees the ring's memory.
    package func deallocate() {
        storage.deallocate()
        indices.deallocate()
    }

    /// How many elements the ring can hold.
    @inlinable package var capacity: Int { mask + 1 }

    /// How many elements could be popped now, as far as the calling thread can tell.
    @inlinable package var count: Int {
        indices.put.pointee.load(ordering: .acquiring) &- indices.taken.pointee.load(ordering: .acquiring)
    }

    /// Appends `element`; `false` where the ring is full. For the producer only.
    @inlinable package func push(_ element: Element) -> Bool {
        let end = indices.put.pointee.load(ordering: .relaxed)
        if end &- indices.taken.pointee.load(ordering: .acquiring) > mask { return false }
        storage[end & mask] = element
        indices.put.pointee.store(end &+ 1, ordering: .releasing)
        return true
    }

    /// Appends all of `elements`, which the consumer then sees at once; `false`, and nothing done, where they do not
    /// fit. For the producer only.
    package func push(all elements: [Element]) -> Bool {
        let end = indices.put.pointee.load(ordering: .relaxed)
        if end &- indices.taken.pointee.load(ordering: .acquiring) &+ elements.count > mask + 1 { return false }
        for (offset, element) in elements.enumerated() { storage[(end &+ offset) & mask] = element }
        indices.put.pointee.store(end &+ elements.count, ordering: .releasing)
        return true
    }

    /// Takes the oldest element; `nil` where the ring is empty. For the consumer only.
    @inlinable package func pop() -> Element? {
        let start = indices.taken.pointee.load(ordering: .relaxed)
        if start == indices.put.pointee.load(ordering: .acquiring) { return nil }
        let element = storage[start & mask]
        indices.taken.pointee.store(start &+ 1, ordering: .releasing)
        return element
    }
}
