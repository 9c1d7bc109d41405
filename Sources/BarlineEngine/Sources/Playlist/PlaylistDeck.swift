import BarlineDSP
import BarlineTime
import CKernels
import Synchronization

/// A stretch of a playlist's sound at the engine's rate: written ahead by a feeder, read by the audio thread, each through
/// an end of its own.
///
/// Frames are addressed by their number in the playlist's sound, which goes on from deck to deck. An edit that changes
/// what was written ahead fills another deck from the first frame that differs, and the audio thread changes over there.
struct PlaylistDeck: ~Copyable, @unchecked Sendable {
    /// Who has the deck.
    enum Status {
        /// Nobody: it may be filled.
        static var idle: Int { @_noLocks get { 0 } }
        /// The control side, which has it filled.
        static var cueing: Int { @_noLocks get { 1 } }
        /// The audio thread, or a command on its way there.
        static var inUse: Int { @_noLocks get { 2 } }
    }

    /// Frames that stay there after they were played, for fades.
    static var keptFrames: Int64 { @_noLocks get { 16_384 } }

    /// Marks that fit: more than there are items in a block, however short.
    static let markCapacity = 4_096

    fileprivate let status = Atomic<Int>(0)
    /// The first frame.
    fileprivate let first = Atomic<Int64>(0)
    /// Frames before this one are written.
    fileprivate let written = Atomic<Int64>(0)
    /// Frames before this one are not needed any more.
    fileprivate let released = Atomic<Int64>(0)
    /// The frame after the last one, once it is known.
    fileprivate let end = Atomic<Int64>(.max)
    /// The marks whose events are still to be sent, in order. A mark is there before the frame that it is for is written.
    fileprivate let marks: SPSCRing<PlaylistMark>
    /// Frames that fit, a power of two.
    fileprivate let capacity: Int
    fileprivate let left: UnsafeMutablePointer<Float>
    fileprivate let right: UnsafeMutablePointer<Float>

    init(minimumFrames: Int) {
        var frames = 65_536
        while frames < minimumFrames { frames *= 2 }
        capacity = frames
        // Not touched before a feeder writes there: a deck that no edit needs takes no memory.
        left = .allocate(capacity: frames)
        right = .allocate(capacity: frames)
        marks = SPSCRing(minimumCapacity: PlaylistDeck.markCapacity)
    }

    deinit {
        left.deallocate()
        right.deallocate()
        marks.deallocate()
    }

    /// The control side's end of a deck.
    struct Writer: BitwiseCopyable, @unchecked Sendable {
        fileprivate let deck: UnsafePointer<PlaylistDeck>

        /// Who has the deck.
        var status: Int { deck.pointee.status.load(ordering: .acquiring) }

        /// Hands the deck on.
        func setStatus(_ status: Int) { deck.pointee.status.store(status, ordering: .releasing) }

        /// Takes the deck, to fill it, where nobody has it.
        func takeIdle() -> Bool {
            deck.pointee.status.compareExchange(
                expected: Status.idle, desired: Status.cueing, ordering: .acquiringAndReleasing
            ).exchanged
        }

        /// Begins anew at `position`. Only for who has taken the deck: the audio thread does not read it.
        func restart(at position: Int64) {
            while deck.pointee.marks.consumer.pop() != nil {}
            deck.pointee.first.store(position, ordering: .relaxed)
            deck.pointee.end.store(.max, ordering: .relaxed)
            deck.pointee.released.store(position, ordering: .relaxed)
            deck.pointee.written.store(position, ordering: .releasing)
        }

        /// Frames before this one are written.
        var written: Int64 { deck.pointee.written.load(ordering: .acquiring) }

        /// The frame after the last one; the end of time where it is not known.
        var end: Int64 { deck.pointee.end.load(ordering: .acquiring) }

        /// Says where the deck ends.
        func setEnd(_ position: Int64) { deck.pointee.end.store(position, ordering: .releasing) }

        /// Frames that may be written now.
        var room: Int {
            deck.pointee.capacity
                - Int(
                    deck.pointee.written.load(ordering: .relaxed) - deck.pointee.released.load(ordering: .acquiring))
        }

        /// Gives up what was passed while the deck was filled. Only for who has taken the deck.
        func skip(to position: Int64) { deck.pointee.release(before: position) }

        /// Adds a mark, before the frame that it is for; `false` where there is no room for it.
        func mark(_ mark: PlaylistMark) -> Bool { deck.pointee.marks.producer.push(mark) }

        /// Puts frames behind those that are written, where there is ``room``.
        func append(_ sourceLeft: UnsafePointer<Float>, _ sourceRight: UnsafePointer<Float>, count: Int) {
            let position = deck.pointee.written.load(ordering: .relaxed)
            let slot = Int(position) & (deck.pointee.capacity - 1)
            let untilWrap = min(count, deck.pointee.capacity - slot)
            (deck.pointee.left + slot).update(from: sourceLeft, count: untilWrap)
            (deck.pointee.right + slot).update(from: sourceRight, count: untilWrap)
            if untilWrap < count {
                deck.pointee.left.update(from: sourceLeft + untilWrap, count: count - untilWrap)
                deck.pointee.right.update(from: sourceRight + untilWrap, count: count - untilWrap)
            }
            deck.pointee.written.store(position + Int64(count), ordering: .releasing)
        }
    }

    /// The audio thread's end of a deck.
    struct Reader: BitwiseCopyable, @unchecked Sendable {
        fileprivate let deck: UnsafePointer<PlaylistDeck>

        @_noLocks fileprivate init(deck: UnsafePointer<PlaylistDeck>) { self.deck = deck }

        /// The first frame.
        var first: Int64 { @_noLocks get { deck.pointee.first.load(ordering: .acquiring) } }

        /// Frames before this one are written.
        var written: Int64 { @_noLocks get { deck.pointee.written.load(ordering: .acquiring) } }

        /// The frame after the last one; the end of time where it is not known.
        var end: Int64 { @_noLocks get { deck.pointee.end.load(ordering: .acquiring) } }

        /// Takes the next mark.
        @_noLocks func popMark() -> PlaylistMark? { deck.pointee.marks.consumer.pop() }

        /// Gives the deck back.
        @_noLocks func leave() { deck.pointee.status.store(Status.idle, ordering: .releasing) }

        /// Gives up the frames before `position`.
        @_noLocks func release(before position: Int64) { deck.pointee.release(before: position) }

        /// Copies the `count` frames from `position` on; what is not there is silent.
        @_noLocks func read(
            at position: Int64, count: Int, left target: UnsafeMutablePointer<Float>,
            right targetRight: UnsafeMutablePointer<Float>
        ) {
            let (left, right, capacity) = (deck.pointee.left, deck.pointee.right, deck.pointee.capacity)
            let ready = written - position
            let there = ready <= 0 ? 0 : ready < Int64(count) ? Int(ready) : count
            let slot = Int(truncatingIfNeeded: position) & (capacity - 1)
            let untilWrap = capacity - slot < there ? capacity - slot : there
            dsp_copy(left + slot, target, untilWrap)
            dsp_copy(right + slot, targetRight, untilWrap)
            dsp_copy(left, target + untilWrap, there - untilWrap)
            dsp_copy(right, targetRight + untilWrap, there - untilWrap)
            dsp_clear(target + there, count - there)
            dsp_clear(targetRight + there, count - there)
        }
    }

    @_noLocks fileprivate borrowing func release(before position: Int64) {
        if position > released.load(ordering: .relaxed) { released.store(position, ordering: .releasing) }
    }
}

/// The decks of an engine's playlist, of which each side has its ends.
struct PlaylistDecks: BitwiseCopyable, @unchecked Sendable {
    /// One plays, one is waited for, one is filled, and others fade out.
    static var count: Int { @_noLocks get { 5 } }

    private let decks: UnsafePointer<PlaylistDeck>

    init(minimumFrames: Int) {
        let storage = UnsafeMutablePointer<PlaylistDeck>.allocate(capacity: PlaylistDecks.count)
        for index in 0..<PlaylistDecks.count {
            (storage + index).initialize(to: PlaylistDeck(minimumFrames: minimumFrames))
        }
        decks = UnsafePointer(storage)
    }

    func deallocate() {
        let storage = UnsafeMutablePointer(mutating: decks)
        storage.deinitialize(count: PlaylistDecks.count)
        storage.deallocate()
    }

    var writers: Writers { Writers(decks: decks) }
    var readers: Readers { Readers(decks: decks) }

    /// The control side's ends.
    struct Writers: BitwiseCopyable, @unchecked Sendable {
        fileprivate let decks: UnsafePointer<PlaylistDeck>

        subscript(index: Int) -> PlaylistDeck.Writer { PlaylistDeck.Writer(deck: decks + index) }
    }

    /// The audio thread's ends.
    struct Readers: BitwiseCopyable, @unchecked Sendable {
        fileprivate let decks: UnsafePointer<PlaylistDeck>

        subscript(index: Int) -> PlaylistDeck.Reader { @_noLocks get { PlaylistDeck.Reader(deck: decks + index) } }
    }
}
