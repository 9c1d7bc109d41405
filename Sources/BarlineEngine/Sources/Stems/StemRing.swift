import BarlineDSP
import CKernels
import Synchronization

/// A window of a source that moves along with what plays: written by a feeder, read by the audio thread.
///
/// Frames are addressed by their number in the source. Frame `n` lies in slot `n mod capacity`, and the first slots
/// lie behind the last ones a second time, so that every span that the interpolator needs is in one piece.
struct StemRing: ~Copyable, @unchecked Sendable {
    /// Frames that fit: 1.4 s at 48 kHz.
    static var capacity: Int { @_noLocks get { 65_536 } }
    /// Frames that a feeder writes at a time.
    static var pieceFrames: Int64 { @_noLocks get { 8_192 } }
    /// The longest span that is in one piece.
    static var longestSpan: Int { @_noLocks get { 4_096 } }
    /// Frames that are read at a time: with what the interpolator needs beside them they are in one piece.
    static var readFrames: Double { @_noLocks get { 3_000 } }
    /// Frames that must be there on either side of a position that is read.
    static var reach: Int64 { @_noLocks get { 256 } }

    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>
    /// Frames before this one are written.
    let written = Atomic<Int64>(0)
    /// Frames before this one were never written.
    let oldest = Atomic<Int64>(0)
    /// Frames before this one are not needed any more.
    let released = Atomic<Int64>(0)
    /// The source's length, once it is known.
    let end = Atomic<Int64>(.max)
    /// Whether a start on the stem's first frame would click; known once that frame is written.
    let startsLoud = Atomic<Bool>(false)

    init() {
        // Not touched before a feeder writes there: the rings of decks that no seek needs take no memory.
        left = .allocate(capacity: StemRing.capacity + StemRing.longestSpan)
        right = .allocate(capacity: StemRing.capacity + StemRing.longestSpan)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// Whether there is what a start needs: 0.2 s of a source that has `sourceRate` frames a second.
    @_noLocks borrowing func isStocked(sourceRate: Double) -> Bool {
        written.load(ordering: .acquiring) - oldest.load(ordering: .relaxed) >= StemRing.startFrames(sourceRate)
    }

    /// The frames that a start needs of a source that has `sourceRate` frames a second.
    @_noLocks static func startFrames(_ sourceRate: Double) -> Int64 {
        let frames = Int64(sourceRate / 5)
        return (frames > pieceFrames ? frames : pieceFrames) + 2 * reach
    }

    /// Begins anew at `frame`. Only while the audio thread does not read the ring.
    borrowing func restart(at frame: Int64) {
        oldest.store(frame, ordering: .relaxed)
        written.store(frame, ordering: .relaxed)
        end.store(.max, ordering: .relaxed)
        released.store(frame, ordering: .releasing)
    }

    /// Leaves out what was passed while a source was too slow.
    borrowing func skip(to frame: Int64) {
        oldest.store(frame, ordering: .relaxed)
        written.store(frame, ordering: .releasing)
    }

    /// Gives up the frames before `frame`. They are not taken back, for a feeder may be overwriting them.
    @_noLocks borrowing func release(before frame: Int64) {
        if frame > released.load(ordering: .relaxed) { released.store(frame, ordering: .releasing) }
    }

    /// The first frame that is there and stays there.
    var firstReadable: Int64 {
        @_noLocks get {
            let first = oldest.load(ordering: .relaxed)
            let kept = released.load(ordering: .relaxed)
            return kept > first ? kept : first
        }
    }

    /// Puts frames behind those that are written. Only for the feeder, which has asked for room before.
    borrowing func append(_ sourceLeft: UnsafePointer<Float>, _ sourceRight: UnsafePointer<Float>, count: Int) {
        let first = written.load(ordering: .relaxed)
        put(sourceLeft, into: left, at: first, count)
        put(sourceRight, into: right, at: first, count)
        written.store(first + Int64(count), ordering: .releasing)
    }

    private borrowing func put(
        _ source: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>, at frame: Int64, _ count: Int
    ) {
        var done = 0
        while done < count {
            let slot = (Int(frame) + done) & (StemRing.capacity - 1)
            let piece = min(count - done, StemRing.capacity - slot)
            dsp_copy(source + done, samples + slot, piece)
            if slot < StemRing.longestSpan {
                dsp_copy(
                    source + done, samples + (StemRing.capacity + slot), min(piece, StemRing.longestSpan - slot))
            }
            done += piece
        }
    }

    /// The frames `first ..< first + length`, of which at most ``longestSpan`` are asked for.
    @_noLocks borrowing func region(from first: Int64, length: Int) -> SourceRegion {
        let slot = Int(first) & (StemRing.capacity - 1)
        return SourceRegion(left: UnsafePointer(left + slot), right: UnsafePointer(right + slot), length: length)
    }
}
