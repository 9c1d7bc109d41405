import Synchronization

/// The place of a snapshot, or of a row of snapshots, on a ``Board``.
@usableFromInline package struct BoardPlace<Snapshot: BitwiseCopyable>: BitwiseCopyable, Sendable {
    /// The first word.
    @usableFromInline let first: Int
    /// The words of one snapshot.
    @usableFromInline let words: Int

    /// Appends a place for one snapshot, or for a row of `count`, to a layout of `size`.
    package init(in size: inout BoardSize, count: Int = 1) {
        words = (MemoryLayout<Snapshot>.size + 7) / 8
        first = size.words
        size.words += words * count
        size.largest = max(size.largest, words)
        precondition(MemoryLayout<Snapshot>.alignment <= Board.alignment, "a snapshot is of plain values")
    }
}

/// The size of a ``Board``.
package struct BoardSize: BitwiseCopyable, Sendable {
    /// The number of words of all places.
    package fileprivate(set) var words = 0
    /// The number of words of the largest snapshot.
    fileprivate var largest = 0

    /// Creates an empty layout.
    package init() {}
}

/// A set of snapshots that one thread publishes as a whole and any thread may read at any time.
///
/// It is a seqlock whose writer never waits: it makes the sequence odd, stores the snapshots, and makes it even again;
/// a reader that saw an odd or a changed sequence retries. Snapshots are copied word by word, each of them atomic, so
/// that even a torn read, which is discarded, is defined. The publishing thread has one end, all others have the other
/// one.
///
/// A board is a handle: its copies are the same board. Its creator calls ``deallocate()`` when no thread uses it.
@usableFromInline package struct Board: BitwiseCopyable, @unchecked Sendable {
    /// The publishing thread's end.
    package let writer: Writer
    /// All other threads' end.
    package let reader: Reader
    private let memory: UnsafeMutablePointer<Atomic<UInt64>>
    private let count: Int

    /// The alignment of snapshots.
    fileprivate static let alignment = 16

    /// Creates a board for the places of `size`, all words 0.
    package init(_ size: BoardSize) {
        count = size.words + 1
        memory = .allocate(capacity: count)
        for index in 0..<count { (memory + index).initialize(to: Atomic(0)) }
        let draft = UnsafeMutableRawPointer.allocate(byteCount: 8 * size.largest, alignment: Board.alignment)
        draft.initializeMemory(as: UInt8.self, repeating: 0, count: 8 * size.largest)
        writer = Writer(sequence: UnsafePointer(memory), words: UnsafePointer(memory + 1), draft: draft)
        reader = Reader(sequence: UnsafePointer(memory), words: UnsafePointer(memory + 1))
    }

    /// Frees the board's memory.
    package func deallocate() {
        memory.deinitialize(count: count)
        memory.deallocate()
        writer.draft.deallocate()
    }

    /// The end at which snapshots are published.
    @usableFromInline package struct Writer: BitwiseCopyable, @unchecked Sendable {
        @usableFromInline let sequence: UnsafePointer<Atomic<UInt64>>
        @usableFromInline let words: UnsafePointer<Atomic<UInt64>>
        /// A snapshot before it is split into words.
        @usableFromInline let draft: UnsafeMutableRawPointer

        /// Begins a publication.
        @_noLocks @inlinable package func beginUpdate() {
            let current = sequence.pointee.load(ordering: .relaxed)
            assert(current & 1 == 0, "what was begun has ended")
            sequence.pointee.store(current &+ 1, ordering: .relaxed)
            atomicMemoryFence(ordering: .acquiringAndReleasing)
        }

        /// Stores a snapshot at its place, or at index `index` of a row, between ``beginUpdate()`` and ``endUpdate()``.
        @inlinable package func put<Snapshot: BitwiseCopyable>(
            _ snapshot: Snapshot, at place: BoardPlace<Snapshot>, _ index: Int = 0
        ) {
            draft.assumingMemoryBound(to: Snapshot.self).pointee = snapshot
            let first = place.first + index * place.words
            for word in 0..<place.words {
                let bits = draft.load(fromByteOffset: 8 * word, as: UInt64.self)
                words[first + word].store(bits, ordering: .relaxed)
            }
        }

        /// Ends the publication.
        @_noLocks @inlinable package func endUpdate() {
            let current = sequence.pointee.load(ordering: .relaxed)
            assert(current & 1 == 1, "what ends was begun")
            sequence.pointee.store(current &+ 1, ordering: .releasing)
        }
    }

    /// The end at which snapshots are read.
    package struct Reader: BitwiseCopyable, @unchecked Sendable {
        fileprivate let sequence: UnsafePointer<Atomic<UInt64>>
        fileprivate let words: UnsafePointer<Atomic<UInt64>>

        /// The number of publications so far.
        package var publicationCount: UInt64 { sequence.pointee.load(ordering: .acquiring) / 2 }

        /// Reads a snapshot, or the one at `index` of a row.
        package func read<Snapshot: BitwiseCopyable>(_ place: BoardPlace<Snapshot>, _ index: Int = 0) -> Snapshot {
            let first = place.first + index * place.words
            return withUnsafeTemporaryAllocation(byteCount: 8 * place.words, alignment: Board.alignment) { bytes in
                readWhole {
                    for word in 0..<place.words {
                        let bits = words[first + word].load(ordering: .relaxed)
                        bytes.storeBytes(of: bits, toByteOffset: 8 * word, as: UInt64.self)
                    }
                }
                return bytes.load(as: Snapshot.self)
            }
        }

        /// Reads two snapshots of the same publication.
        package func read<First: BitwiseCopyable, Second: BitwiseCopyable>(
            _ first: BoardPlace<First>, _ second: BoardPlace<Second>
        ) -> (First, Second) {
            while true {
                let before = sequence.pointee.load(ordering: .acquiring)
                let snapshots = (read(first), read(second))
                if before & 1 == 0, sequence.pointee.load(ordering: .relaxed) == before { return snapshots }
            }
        }

        /// Reads all snapshots in the places of `size`, the first ones or all, of the same publication.
        package func read(_ size: BoardSize) -> BoardCopy {
            var copy = [UInt64](repeating: 0, count: size.words)
            readWhole { for word in 0..<size.words { copy[word] = words[word].load(ordering: .relaxed) } }
            return BoardCopy(words: copy)
        }

        /// Repeats `read` until no publication overlapped it.
        private func readWhole(_ read: () -> Void) {
            while true {
                let before = sequence.pointee.load(ordering: .acquiring)
                if before & 1 == 0 {
                    read()
                    atomicMemoryFence(ordering: .acquiringAndReleasing)
                    if sequence.pointee.load(ordering: .relaxed) == before { return }
                }
            }
        }
    }
}

/// A consistent copy of a ``Board``.
package struct BoardCopy: Sendable {
    fileprivate let words: [UInt64]

    /// A snapshot, or the one at `index` of a row.
    package subscript<Snapshot: BitwiseCopyable>(place: BoardPlace<Snapshot>, index: Int = 0) -> Snapshot {
        words.withUnsafeBytes { bytes in
            bytes.loadUnaligned(fromByteOffset: 8 * (place.first + index * place.words), as: Snapshot.self)
        }
    }
}
