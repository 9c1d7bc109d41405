import Synchronization

/// A queue from one thread to one other that neither locks nor allocates after its creation.
///
/// Each of the two threads has one end, whose operations are its own only: a ``Producer`` pushes, a ``Consumer`` pops,
/// at the same time. Every element is popped once, in order. A push onto a full ring fails and changes nothing: the
/// caller decides whether that is an error. Several producers must be serialised with a lock that the consumer never
/// takes.
///
/// An end is a handle: its copies are the same end. The creator of the ring calls ``deallocate()`` when no thread uses
/// it.
@usableFromInline package struct SPSCRing<Element: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
    /// The pushing thread's end.
    package let producer: Producer
    /// The popping thread's end.
    package let consumer: Consumer

    /// Creates a ring that holds at least `minimumCapacity` elements: the next power of two.
    package init(minimumCapacity: Int) {
        var capacity = 2
        while capacity < minimumCapacity { capacity *= 2 }
        let storage = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        let indices = RingIndices()
        producer = Producer(storage: storage, mask: capacity - 1, indices: indices)
        consumer = Consumer(storage: storage, mask: capacity - 1, indices: indices)
    }

    /// Frees the ring's memory.
    package func deallocate() {
        producer.storage.deallocate()
        producer.indices.deallocate()
    }

    /// How many elements the ring can hold.
    package var capacity: Int { producer.mask + 1 }

    /// The end at which elements are pushed.
    @usableFromInline package struct Producer: BitwiseCopyable, @unchecked Sendable {
        @usableFromInline let storage: UnsafeMutablePointer<Element>
        @usableFromInline let mask: Int
        @usableFromInline let indices: RingIndices

        /// Appends `element`; returns `false` if the ring is full.
        @inlinable package func push(_ element: Element) -> Bool {
            let end = indices.put.pointee.load(ordering: .relaxed)
            if end &- indices.taken.pointee.load(ordering: .acquiring) > mask { return false }
            storage[end & mask] = element
            indices.put.pointee.store(end &+ 1, ordering: .releasing)
            assert(indices.checkInvariants(capacity: mask + 1), "a ring holds what was put in and not taken")
            return true
        }

        /// Appends all of `elements`, which become visible to the consumer at once; returns `false`, changing nothing,
        /// if they do not fit.
        package func push(all elements: [Element]) -> Bool {
            let end = indices.put.pointee.load(ordering: .relaxed)
            if end &- indices.taken.pointee.load(ordering: .acquiring) &+ elements.count > mask + 1 { return false }
            for (offset, element) in elements.enumerated() { storage[(end &+ offset) & mask] = element }
            indices.put.pointee.store(end &+ elements.count, ordering: .releasing)
            return true
        }
    }

    /// The end at which elements are popped.
    @usableFromInline package struct Consumer: BitwiseCopyable, @unchecked Sendable {
        @usableFromInline let storage: UnsafeMutablePointer<Element>
        @usableFromInline let mask: Int
        @usableFromInline let indices: RingIndices

        /// Takes the oldest element; `nil` if the ring is empty.
        @inlinable package func pop() -> Element? {
            let start = indices.taken.pointee.load(ordering: .relaxed)
            if start == indices.put.pointee.load(ordering: .acquiring) { return nil }
            let element = storage[start & mask]
            indices.taken.pointee.store(start &+ 1, ordering: .releasing)
            assert(indices.checkInvariants(capacity: mask + 1), "a ring holds what was put in and not taken")
            return element
        }

        /// Whether there is nothing to take; on any thread.
        package var isEmpty: Bool {
            indices.taken.pointee.load(ordering: .relaxed) == indices.put.pointee.load(ordering: .acquiring)
        }
    }
}
