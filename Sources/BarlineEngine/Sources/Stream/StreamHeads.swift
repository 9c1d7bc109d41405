import BarlineDSP
import BarlineTime

/// The heads of a stream on the audio thread: one that plays, others that fade out; and the decks they read.
///
/// A deck is released to the control side as soon as no head reads it and none will. Besides the decks being read there
/// may be one from which playback starts or resumes, ``heldDeck``, and one to which playback changes over,
/// ``nextDeck``.
struct StreamHeads: BitwiseCopyable, @unchecked Sendable {
    private let heads: UnsafeMutablePointer<StreamHead>
    /// The number of heads that can sound at once. All but one are fading out.
    let capacity: Int
    /// The decks of the current stream, to which ``heldDeck`` and ``nextDeck`` belong; heads that fade out may read
    /// others.
    private(set) var decks: StreamDecks.Readers?
    /// The head that plays, or −1.
    private(set) var current = -1
    /// The deck from which playback starts or resumes, or −1.
    private(set) var heldDeck = -1
    /// The deck to which playback changes over, or −1.
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

    /// Starts `head`, which replaces the one that has been fading longest if none is free.
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

    /// Replaces the playing head with `head`, between two frames.
    @_noLocks func replaceCurrent(with head: StreamHead) {
        let old = heads[current]
        heads[current] = head
        release(old.deck, of: old.decks)
    }

    /// Fades out the playing head.
    @_noLocks mutating func leave(at now: FrameTime, frames: Int64, isCurved: Bool = false) {
        let index = current
        if index < 0 { return }
        current = -1
        heads[index].phase = .leaving
        heads[index].fade(to: 0, at: now, frames: frames, isCurved: isCurved)
    }

    /// Has the heads that are fading out silent after `frames`, where a crossfade would have them sound for longer.
    @_noLocks func hasten(at now: FrameTime, frames: Int64) {
        for index in 0..<capacity where heads[index].isLeaving {
            let end = heads[index].envelope.start + heads[index].envelope.frames
            if end - now > frames { heads[index].fade(to: 0, at: now, frames: frames) }
        }
    }

    /// Ends the playing head at once.
    @_noLocks mutating func end() {
        let index = current
        if index < 0 { return }
        current = -1
        heads[index].phase = .free
        release(heads[index].deck, of: heads[index].decks)
    }

    /// Cuts off a head that is fading out.
    @_noLocks func drop(_ index: Int) {
        heads[index].phase = .free
        release(heads[index].deck, of: heads[index].decks)
    }

    /// A head at or after `index` that reads a deck and began to fade out on this very frame, or −1: a pause that may
    /// be undone.
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

    /// Has what began to fade out on this very frame fade out otherwise.
    ///
    /// - Returns: whether anything did.
    @_noLocks func leaveAnew(at now: FrameTime, frames: Int64, isCurved: Bool) -> Bool {
        var hasLeft = false
        for index in 0..<capacity where heads[index].isLeaving && heads[index].envelope.start == now {
            heads[index].fade(to: 0, at: now, frames: frames, isCurved: isCurved)
            hasLeft = true
        }
        return hasLeft
    }

    /// Resumes a head that is fading out.
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

    /// The next frame on which a head has faded out, or the end of time.
    var nextEnd: FrameTime {
        @_noLocks get {
            var next = FrameTime.never
            for index in 0..<capacity where heads[index].isLeaving {
                next = earlier(next, heads[index].envelope.start + heads[index].envelope.frames)
            }
            return next
        }
    }

    /// Whether any head plays or fades out.
    var areSounding: Bool {
        @_noLocks get {
            for index in 0..<capacity where !heads[index].isFree { return true }
            return false
        }
    }

    // MARK: Decks

    /// Switches to other decks, or none, after the playing head has left; a held deck is released.
    @_noLocks mutating func change(to decks: StreamDecks.Readers?) {
        queue(-1)
        hold(-1)
        self.decks = decks
    }

    /// Holds `deck` for the next start, replacing the former one; −1 for none.
    @_noLocks mutating func hold(_ deck: Int) {
        let old = heldDeck
        heldDeck = deck
        release(old)
    }

    /// Queues a change-over to `deck`, replacing the former one; −1 for none.
    @_noLocks mutating func queue(_ deck: Int) {
        let old = nextDeck
        nextDeck = deck
        release(old)
    }

    /// Takes the held deck, for a head.
    @_noLocks mutating func takeHeld() -> Int {
        let deck = heldDeck
        heldDeck = -1
        return deck
    }

    /// Takes the next deck, for a head.
    @_noLocks mutating func takeNext() -> Int {
        let deck = nextDeck
        nextDeck = -1
        return deck
    }

    /// Releases a deck, unless it is still used.
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

    /// Whether the invariants hold: the current head plays a deck, and the held and the next deck are among the decks.
    @_noLocks func checkInvariants() -> Bool {
        guard let decks else { return current < 0 && heldDeck < 0 && nextDeck < 0 }
        if heldDeck >= decks.count || nextDeck >= decks.count || current >= capacity { return false }
        for index in 0..<capacity where !heads[index].isFree && !heads[index].checkInvariants() { return false }
        return current < 0 || (heads[current].isPlaying && heads[current].decks.areSame(as: decks))
    }
}
