import BarlineDSP
import BarlineTime
import CKernels
import Synchronization

/// A stretch of a playlist's sound at the engine's rate: written ahead by a feeder, read by the audio thread.
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

    let status = Atomic<Int>(0)
    /// The first frame.
    let first = Atomic<Int64>(0)
    /// Frames before this one are written.
    let written = Atomic<Int64>(0)
    /// Frames before this one are not needed any more.
    let released = Atomic<Int64>(0)
    /// The frame after the last one, once it is known.
    let end = Atomic<Int64>(.max)
    /// The marks whose events are still to be sent, in order. A mark is there before the frame that it is for is written.
    let marks: SPSCRing<PlaylistMark>
    /// Frames that fit, a power of two.
    let capacity: Int
    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>

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

    /// Begins anew at `position`. Only while the audio thread does not read the deck.
    borrowing func restart(at position: Int64) {
        while marks.pop() != nil {}
        first.store(position, ordering: .relaxed)
        end.store(.max, ordering: .relaxed)
        released.store(position, ordering: .relaxed)
        written.store(position, ordering: .releasing)
    }

    /// Frames that may be written now.
    var room: Int {
        capacity - Int(written.load(ordering: .relaxed) - released.load(ordering: .acquiring))
    }

    /// Puts frames behind those that are written. Only for the feeder, which has asked for room before.
    borrowing func append(_ sourceLeft: UnsafePointer<Float>, _ sourceRight: UnsafePointer<Float>, count: Int) {
        let position = written.load(ordering: .relaxed)
        let slot = Int(position) & (capacity - 1)
        let untilWrap = min(count, capacity - slot)
        (left + slot).update(from: sourceLeft, count: untilWrap)
        (right + slot).update(from: sourceRight, count: untilWrap)
        if untilWrap < count {
            left.update(from: sourceLeft + untilWrap, count: count - untilWrap)
            right.update(from: sourceRight + untilWrap, count: count - untilWrap)
        }
        written.store(position + Int64(count), ordering: .releasing)
    }

    /// Gives up the frames before `position`.
    @_noLocks borrowing func release(before position: Int64) {
        if position > released.load(ordering: .relaxed) { released.store(position, ordering: .releasing) }
    }

    /// Copies the `count` frames from `position` on; what is not there is silent.
    @_noLocks borrowing func read(
        at position: Int64, count: Int, left target: UnsafeMutablePointer<Float>,
        right targetRight: UnsafeMutablePointer<Float>
    ) {
        let last = written.load(ordering: .acquiring)
        let ready = last - position
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

/// The decks of an engine's playlist.
struct PlaylistDecks: BitwiseCopyable, @unchecked Sendable {
    /// One plays, one is waited for, one is filled, and others fade out.
    static var count: Int { @_noLocks get { 5 } }

    let decks: UnsafePointer<PlaylistDeck>

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
}
