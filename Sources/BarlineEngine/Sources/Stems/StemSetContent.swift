import Synchronization

/// What the audio thread knows of the stems. It never changes; another set of stems is another one of these.
struct StemSetContent: BitwiseCopyable, @unchecked Sendable {
    /// Seeks, loop wraps and fades that follow each other within 5 ms each need a deck.
    static var deckCount: Int { @_noLocks get { 3 } }

    /// What commands call the set.
    let number: Int
    let stems: UnsafePointer<StemPlace>
    let count: Int
    let decks: UnsafePointer<StemDeck>
    /// The tempo at which the stems play at their own rate; 0 where they don't follow the tempo.
    let recordedTempo: Double
    /// Whether the audio thread has no deck to start from.
    let needsDeck: UnsafePointer<Atomic<Bool>>
}

/// Why a deck was cued.
enum StemHoldPurpose: BitwiseCopyable {
    /// The user asked for the position.
    case seek(StemSeek)
    /// The stems were stopped.
    case rewind
    /// The stems had no deck to start from.
    case refill
}

/// How a stem's source frames lie on the multitrack's timeline.
struct StemPlace: BitwiseCopyable, Sendable {
    let sourceRate: Double
    /// The source frame at position 0.
    let offset: Double
}

/// The rings of all stems, filled from one position on.
struct StemDeck: ~Copyable, @unchecked Sendable {
    /// Who has the deck.
    enum Status {
        /// Nobody: it may be cued.
        static var idle: Int { @_noLocks get { 0 } }
        /// The control side, which has it filled.
        static var cueing: Int { @_noLocks get { 1 } }
        /// Filled from the loop's start: the audio thread may take it when it gets to the loop's end.
        static var offered: Int { @_noLocks get { 2 } }
        /// The audio thread, or a command on its way there.
        static var inUse: Int { @_noLocks get { 3 } }
    }

    let status = Atomic<Int>(0)
    /// The loop that an offered deck is for.
    let loop = Atomic<Int>(0)
    let rings: UnsafePointer<StemRing>
    private let count: Int

    init(stems count: Int) {
        self.count = count
        let storage = UnsafeMutablePointer<StemRing>.allocate(capacity: count)
        for index in 0..<count { (storage + index).initialize(to: StemRing()) }
        rings = UnsafePointer(storage)
    }

    deinit {
        let storage = UnsafeMutablePointer(mutating: rings)
        storage.deinitialize(count: count)
        storage.deallocate()
    }
}
