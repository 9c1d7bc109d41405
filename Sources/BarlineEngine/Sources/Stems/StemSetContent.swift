import Synchronization

/// A set of stems on the audio thread: places for them, and decks on which all are ready at one position.
struct StemSetContent: BitwiseCopyable, @unchecked Sendable {
    /// Each seek, loop wrap and fade within 5 ms needs a deck of its own.
    static var deckCount: Int { @_noLocks get { 3 } }

    /// The number by which commands identify the set.
    let number: Int
    /// The places of the stems, as many as the engine has channels for; owned by the audio thread.
    let slots: UnsafeMutablePointer<StemSlot>
    let slotCount: Int
    let decks: StreamDecks.Readers
    /// The position of each deck.
    let positions: UnsafePointer<StemDeckPosition>
    /// The tempo at which the stems play at their own rate; 0 if they don't follow the tempo.
    let recordedTempo: Double
    /// The voices of stems whose pitch is kept, if stems follow the tempo.
    let voices: StemVoicesContent?
    /// Whether the audio thread has no deck to start from.
    let needsDeck: UnsafePointer<Atomic<Bool>>

    /// One more than the index of the last occupied place.
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
    /// A requested seek.
    case seek(StemSeek)
    /// The rewind of a stop.
    case rewind
    /// A refill, because the stems had no deck to start from.
    case refill
    /// To play on where the stems were that these have replaced on the same frame.
    case resume
}

/// A deck's position, for which every stem has a ring.
struct StemDeckPosition: ~Copyable, @unchecked Sendable {
    /// The deck's position in seconds, as bits: rings of added stems are filled from there.
    private let place = Atomic<UInt64>(0)

    /// The deck's latest position, in seconds.
    var seconds: Double { Double(bitPattern: place.load(ordering: .relaxed)) }

    /// Sets the deck's position, in seconds.
    @_noLocks borrowing func set(to seconds: Double) { place.store(seconds.bitPattern, ordering: .relaxed) }
}
