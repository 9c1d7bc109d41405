import Synchronization

/// Ownership of a prefetch buffer: free (nobody), the control side, which has it filled, or the audio thread.
///
/// The buffers themselves are stored beside it: one ring with marks for a playlist, a ring for every stem for a
/// multitrack. Each side has an end with its own operations only:
///
/// ```
///            takeIdle            send                      leave
/// nobody ─────────────▶ writer ◀──────▶ reader ──────────────────▶ nobody
///                          │ offer   takeBack    take ▲
///                          ╰──────────▶ offered ──────╯ ╰─ or withdraw ▶ nobody
/// ```
struct StreamDeck: ~Copyable, @unchecked Sendable {
    /// The owner of a deck.
    private enum Owner {
        static var nobody: Int { @_noLocks get { 0 } }
        static var writer: Int { @_noLocks get { 1 } }
        /// Up for whoever is first: the audio thread takes it, or the control side withdraws it.
        static var offered: Int { @_noLocks get { 2 } }
        static var reader: Int { @_noLocks get { 3 } }
    }

    private let owner = Atomic<Int>(0)
    /// The purpose of an offered deck.
    private let purpose = Atomic<Int>(0)

    /// Whether the deck has the owner required for the operation.
    @_noLocks borrowing fileprivate func checkInvariants(owner expected: Int) -> Bool {
        owner.load(ordering: .acquiring) == expected
    }

    /// The control side's end.
    struct Writer: BitwiseCopyable, @unchecked Sendable {
        fileprivate let deck: UnsafePointer<StreamDeck>

        /// Whether the deck is free.
        var isIdle: Bool { deck.pointee.owner.load(ordering: .acquiring) == Owner.nobody }

        /// Whether the audio thread owns it, or a command that is under way to it.
        var isInUse: Bool { deck.pointee.owner.load(ordering: .acquiring) == Owner.reader }

        /// Whether it is offered to the audio thread.
        var isOffered: Bool { deck.pointee.owner.load(ordering: .acquiring) == Owner.offered }

        /// Claims the deck for the feeder, if it is free.
        func takeIdle() -> Bool {
            deck.pointee.owner.compareExchange(
                expected: Owner.nobody, desired: Owner.writer, ordering: .acquiringAndReleasing
            ).exchanged
        }

        /// Passes the deck to the audio thread, with a command that is sent next.
        func send() {
            assert(deck.pointee.checkInvariants(owner: Owner.writer), "what is sent was taken")
            deck.pointee.owner.store(Owner.reader, ordering: .releasing)
        }

        /// Takes back a deck whose command could not be sent.
        func takeBack() {
            assert(deck.pointee.checkInvariants(owner: Owner.reader), "what is taken back was sent")
            deck.pointee.owner.store(Owner.writer, ordering: .releasing)
        }

        /// Offers the deck to the audio thread, to be taken without a command, for the given purpose.
        func offer(for purpose: Int) {
            assert(deck.pointee.checkInvariants(owner: Owner.writer), "what is offered was taken")
            deck.pointee.purpose.store(purpose, ordering: .relaxed)
            deck.pointee.owner.store(Owner.offered, ordering: .releasing)
        }

        /// Withdraws an offered deck, unless the audio thread was first.
        func withdraw() {
            _ = deck.pointee.owner.compareExchange(
                expected: Owner.offered, desired: Owner.nobody, ordering: .acquiringAndReleasing)
        }

        /// Releases a claimed deck that was not sent to the audio thread.
        func abandon() {
            assert(deck.pointee.checkInvariants(owner: Owner.writer), "what is given up was taken")
            deck.pointee.owner.store(Owner.nobody, ordering: .releasing)
        }
    }

    /// The audio thread's end.
    struct Reader: BitwiseCopyable, @unchecked Sendable {
        private let deck: UnsafePointer<StreamDeck>

        @_noLocks fileprivate init(_ deck: UnsafePointer<StreamDeck>) { self.deck = deck }

        /// Whether the audio thread owns the deck, or may take it.
        var isAvailable: Bool {
            @_noLocks get {
                let owner = deck.pointee.owner.load(ordering: .acquiring)
                return owner == Owner.reader || owner == Owner.offered
            }
        }

        /// Takes a deck that is offered for `purpose`.
        @_noLocks func takeOffered(for purpose: Int) -> Bool {
            if deck.pointee.purpose.load(ordering: .acquiring) != purpose { return false }
            let (isTaken, _) = deck.pointee.owner.compareExchange(
                expected: Owner.offered, desired: Owner.reader, ordering: .acquiringAndReleasing)
            return isTaken
        }

        /// Releases the deck.
        @_noLocks func leave() {
            assert(deck.pointee.checkInvariants(owner: Owner.reader), "what is given back was the audio thread's")
            deck.pointee.owner.store(Owner.nobody, ordering: .releasing)
        }
    }
}

/// The decks of a stream, with separate ends for each side. Their creator calls ``deallocate()`` when no thread uses
/// them.
struct StreamDecks: BitwiseCopyable, @unchecked Sendable {
    private let decks: UnsafePointer<StreamDeck>
    private let count: Int

    init(count: Int) {
        let storage = UnsafeMutablePointer<StreamDeck>.allocate(capacity: count)
        for index in 0..<count { (storage + index).initialize(to: StreamDeck()) }
        decks = UnsafePointer(storage)
        self.count = count
    }

    func deallocate() {
        let storage = UnsafeMutablePointer(mutating: decks)
        storage.deinitialize(count: count)
        storage.deallocate()
    }

    var writers: Writers { Writers(decks: decks, count: count) }
    var readers: Readers { Readers(decks: decks, count: count) }

    /// The control side's ends.
    struct Writers: BitwiseCopyable, @unchecked Sendable {
        fileprivate let decks: UnsafePointer<StreamDeck>
        let count: Int

        subscript(index: Int) -> StreamDeck.Writer { StreamDeck.Writer(deck: decks + index) }

        /// Claims a free deck.
        ///
        /// - Parameter isFree: whether the control side is done with a deck that the audio thread has released.
        /// - Returns: the deck's number; `nil` if none is free.
        /// - Complexity: O(*n*) in the decks.
        func takeIdle(where isFree: (Int) -> Bool = { _ in true }) -> Int? {
            (0..<count).first { isFree($0) && self[$0].takeIdle() }
        }
    }

    /// The audio thread's ends.
    struct Readers: BitwiseCopyable, @unchecked Sendable {
        fileprivate let decks: UnsafePointer<StreamDeck>
        let count: Int

        subscript(index: Int) -> StreamDeck.Reader { @_noLocks get { StreamDeck.Reader(decks + index) } }

        /// Whether these are the same decks.
        @_noLocks func areSame(as others: Readers) -> Bool { decks == others.decks }

        /// Takes a deck that is offered for `purpose`; −1 if there is none.
        @_noLocks func takeOffered(for purpose: Int) -> Int {
            for index in 0..<count where self[index].takeOffered(for: purpose) { return index }
            return -1
        }
    }
}
