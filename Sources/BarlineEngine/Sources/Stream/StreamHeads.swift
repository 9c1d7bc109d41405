import BarlineDSP
import BarlineTime

/// The heads of a stream on the audio thread: one that plays, others that fade out; and the decks they are for.
///
/// A deck goes back to the control side as soon as no head reads it and none is to. Besides the decks that heads read there
/// may be one from which playing starts or goes on, ``heldDeck``, and one to which what plays changes over, ``nextDeck``.
struct StreamHeads: BitwiseCopyable, @unchecked Sendable {
    private let heads: UnsafeMutablePointer<StreamHead>
    /// Heads that can sound at once. Each but one is fading out.
    let capacity: Int
    /// The decks of the stream that is there, which ``heldDeck`` and ``nextDeck`` are of; heads that fade out may read others.
    private(set) var decks: StreamDecks.Readers?
    /// The head that plays, or −1.
    private(set) var current = -1
    /// The deck from which playing starts or goes on, or −1.
    private(set) var heldDeck = -1
    /// The deck to which what plays changes over, or −1.
    private(set) var nextDeck = -1

    init(capacity: Int, decks: StreamDecks.Readers?) {
        self.capacity = capacity
        self.decks = decks
        heads = .allocate(capacity: capacity)
        for index in 0..<capacity { heads[index].phase = .free }
    }

    func deallocate() { heads.deallocate() }

    subscript(index: Int) -> StreamHead {
        @_noLocks get { heads[index] }
        @_noLocks nonmutating set { heads[index] = newValue }
    }

    // MARK: Heads

    /// Plays at `head`, which takes the place of the one that has faded longest where none is free.
    @_noLocks mutating func start(_ head: StreamHead) {
        let index = freeHead()
        let stolen = heads[index]
        heads[index] = head
        if !stolen.isFree { release(stolen.deck, of: stolen.decks) }
        current = index
    }

    @_noLocks private func freeHead() -> Int {
        var oldest = -1
        for index in 0..<capacity where index != current {
            if heads[index].isFree { return index }
            if oldest < 0 || heads[index].envelope.start < heads[oldest].envelope.start { oldest = index }
        }
        return oldest
    }

    /// Puts `head` in the place of the one that plays, between two frames.
    @_noLocks func replaceCurrent(with head: StreamHead) {
        let old = heads[current]
        heads[current] = head
        release(old.deck, of: old.decks)
    }

    /// Fades out what plays.
    @_noLocks mutating func leave(at now: FrameTime, frames: Int64, isCurved: Bool = false) {
        let index = current
        if index < 0 { return }
        current = -1
        heads[index].phase = .leaving
        heads[index].fade(to: 0, at: now, frames: frames, isCurved: isCurved)
    }

    /// Ends what plays at once.
    @_noLocks mutating func end() {
        let index = current
        if index < 0 { return }
        current = -1
        heads[index].phase = .free
        release(heads[index].deck, of: heads[index].decks)
    }

    /// Ends a head that fades out at once.
    @_noLocks func drop(_ index: Int) {
        heads[index].phase = .free
        release(heads[index].deck, of: heads[index].decks)
    }

    /// A head from `index` on that reads a deck and began to fade out on this very frame, or −1: a pause that may be undone.
    @_noLocks func justLeft(_ deck: Int, at now: FrameTime, from index: Int) -> Int {
        guard let decks else { return -1 }
        for place in index..<capacity
        where heads[place].isLeaving && heads[place].deck == deck && heads[place].decks.areSame(as: decks)
            && heads[place].envelope.start == now
        {
            return place
        }
        return -1
    }

    /// Has a head that fades out play on.
    @_noLocks mutating func resume(_ index: Int, at now: FrameTime, frames: Int64) {
        heads[index].phase = .playing
        heads[index].fade(to: 1, at: now, frames: frames, isCurved: heads[index].isCurved)
        current = index
    }

    /// Frees the heads that have faded out.
    @_noLocks func endFaded(at now: FrameTime) {
        for index in 0..<capacity where heads[index].isLeaving {
            if now - heads[index].envelope.start < heads[index].envelope.frames { continue }
            heads[index].phase = .free
            release(heads[index].deck, of: heads[index].decks)
        }
    }

    /// The frame on which the next head has faded out, or the end of time.
    var nextEnd: FrameTime {
        @_noLocks get {
            var next = FrameTime(rawValue: .max)
            for index in 0..<capacity where heads[index].isLeaving {
                next = earlier(next, heads[index].envelope.start + heads[index].envelope.frames)
            }
            return next
        }
    }

    /// Whether anything plays or fades out.
    var areSounding: Bool {
        @_noLocks get {
            for index in 0..<capacity where !heads[index].isFree { return true }
            return false
        }
    }

    // MARK: Decks

    /// Goes over to other decks, or none, once what plays was left; what was held is given back.
    @_noLocks mutating func change(to decks: StreamDecks.Readers?) {
        queue(-1)
        hold(-1)
        self.decks = decks
    }

    /// Has playing start or go on from `deck`, in the place of another; −1 for none.
    @_noLocks mutating func hold(_ deck: Int) {
        let old = heldDeck
        heldDeck = deck
        release(old)
    }

    /// Has what plays change over to `deck`, in the place of another; −1 for none.
    @_noLocks mutating func queue(_ deck: Int) {
        let old = nextDeck
        nextDeck = deck
        release(old)
    }

    /// The deck that was held, for a head.
    @_noLocks mutating func takeHeld() -> Int {
        let deck = heldDeck
        heldDeck = -1
        return deck
    }

    /// The deck that was to be changed over to, for a head.
    @_noLocks mutating func takeNext() -> Int {
        let deck = nextDeck
        nextDeck = -1
        return deck
    }

    /// Gives a deck back, unless it is still wanted.
    @_noLocks func release(_ deck: Int) {
        guard deck >= 0, let decks else { return }
        release(deck, of: decks)
    }

    @_noLocks private func release(_ deck: Int, of owners: StreamDecks.Readers) {
        if let decks, decks.areSame(as: owners), heldDeck == deck || nextDeck == deck { return }
        for index in 0..<capacity
        where !heads[index].isFree && heads[index].deck == deck && heads[index].decks.areSame(as: owners) {
            return
        }
        owners[deck].leave()
    }

    /// Whether the head that plays does, on a deck, and what is held or comes next is one of the decks.
    @_noLocks func checkInvariants() -> Bool {
        guard let decks else { return current < 0 && heldDeck < 0 && nextDeck < 0 }
        if heldDeck >= decks.count || nextDeck >= decks.count || current >= capacity { return false }
        return current < 0 || (heads[current].isPlaying && heads[current].decks.areSame(as: decks))
    }
}
