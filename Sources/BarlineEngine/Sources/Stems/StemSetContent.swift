import Synchronization

/// A set of stems as the audio thread has it: places for them, and decks on which all are ready at one position.
struct StemSetContent: BitwiseCopyable, @unchecked Sendable {
    /// Seeks, loop wraps and fades that follow each other within 5 ms each need a deck.
    static var deckCount: Int { @_noLocks get { 3 } }

    /// What commands call the set.
    let number: Int
    /// The places of the stems, as many as the engine has channels for; the audio thread's own.
    let slots: UnsafeMutablePointer<StemSlot>
    let slotCount: Int
    let decks: StreamDecks.Readers
    /// Where each deck is.
    let positions: UnsafePointer<StemDeckPosition>
    /// The tempo at which the stems play at their own rate; 0 where they don't follow the tempo.
    let recordedTempo: Double
    /// The voices of stems whose pitch is kept, where stems follow the tempo.
    let voices: StemVoicesContent?
    /// Whether the audio thread has no deck to start from.
    let needsDeck: UnsafePointer<Atomic<Bool>>

    /// The number of the last place with a stem, and 1.
    var stemCount: Int {
        @_noLocks get {
            var count = slotCount
            while count > 0 {
                if case .some = slots[count - 1].part { return count }
                count -= 1
            }
            return 0
        }
    }
}

/// The purpose of a cued deck.
enum StemHoldPurpose: BitwiseCopyable {
    /// The user asked for the position.
    case seek(StemSeek)
    /// The stems were stopped.
    case rewind
    /// The stems had no deck to start from.
    case refill
}

/// One of the positions for which every stem has a ring.
struct StemDeckPosition: ~Copyable, @unchecked Sendable {
    /// Where the deck is, in seconds, as bits: from there on rings are filled for stems that join.
    private let place = Atomic<UInt64>(0)

    /// Where the deck was last, in seconds.
    var seconds: Double { Double(bitPattern: place.load(ordering: .relaxed)) }

    /// Says where the deck is, in seconds.
    @_noLocks borrowing func stand(at seconds: Double) { place.store(seconds.bitPattern, ordering: .relaxed) }
}
