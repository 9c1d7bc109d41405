import Synchronization

/// Words that one thread publishes as a whole and any thread may read at any time.
///
/// A sequence lock whose writer never waits: it makes the sequence odd, stores the words, makes it even again; a
/// reader that saw an odd or a changed sequence tries again. Words are atomic, so that even a torn read, which is
/// thrown away, is defined.
struct StateBoard: BitwiseCopyable, @unchecked Sendable {
    private let sequence: UnsafePointer<Atomic<UInt64>>
    private let words: UnsafePointer<Atomic<UInt64>>
    let count: Int

    init(count: Int) {
        self.count = count
        let storage = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: count + 1)
        for index in 0...count { (storage + index).initialize(to: Atomic(0)) }
        sequence = UnsafePointer(storage)
        words = UnsafePointer(storage + 1)
    }

    func deallocate() {
        let storage = UnsafeMutablePointer(mutating: sequence)
        storage.deinitialize(count: count + 1)
        storage.deallocate()
    }

    @_noLocks func beginUpdate() {
        let current = sequence.pointee.load(ordering: .relaxed)
        sequence.pointee.store(current &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .acquiringAndReleasing)
    }

    @_noLocks func set(_ index: Int, _ value: UInt64) { words[index].store(value, ordering: .relaxed) }

    @_noLocks func set(_ index: Int, _ value: Int64) { set(index, UInt64(bitPattern: value)) }

    @_noLocks func set(_ index: Int, _ value: Double) { set(index, value.bitPattern) }

    @_noLocks func set(_ index: Int, _ first: Float, _ second: Float) {
        set(index, UInt64(first.bitPattern) << 32 | UInt64(second.bitPattern))
    }

    @_noLocks func endUpdate() {
        let current = sequence.pointee.load(ordering: .relaxed)
        sequence.pointee.store(current &+ 1, ordering: .releasing)
    }

    /// How often words were published.
    var publicationCount: UInt64 { sequence.pointee.load(ordering: .acquiring) / 2 }

    /// One word as it is now; others may be of another moment.
    func peek(_ index: Int) -> UInt64 { words[index].load(ordering: .relaxed) }

    /// All words as they were at one moment.
    func read() -> [UInt64] { read(count: count) }

    /// The first `count` words as they were at one moment.
    func read(count: Int) -> [UInt64] { read(0..<count) }

    /// The words of `range` as they were at one moment.
    func read(_ range: Range<Int>) -> [UInt64] {
        while true {
            let before = sequence.pointee.load(ordering: .acquiring)
            if before & 1 == 0 {
                let copy = range.map { words[$0].load(ordering: .relaxed) }
                atomicMemoryFence(ordering: .acquiringAndReleasing)
                if sequence.pointee.load(ordering: .relaxed) == before { return copy }
            }
        }
    }
}
