import BarlineDSP
import CKernels
import Synchronization

/// A window of a source that moves along with what plays: written by a feeder, read by the audio thread, each through an
/// end of its own.
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

    fileprivate let left: UnsafeMutablePointer<Float>
    fileprivate let right: UnsafeMutablePointer<Float>
    /// Frames before this one are written.
    fileprivate let written = Atomic<Int64>(0)
    /// Frames before this one were never written.
    fileprivate let oldest = Atomic<Int64>(0)
    /// Frames before this one are not needed any more.
    fileprivate let released = Atomic<Int64>(0)
    /// The source's length, once it is known.
    fileprivate let end = Atomic<Int64>(.max)
    /// Whether a start on the stem's first frame would click; known once that frame is written.
    fileprivate let startsLoud = Atomic<Bool>(false)

    init() {
        // Not touched before a feeder writes there: the rings of decks that no seek needs take no memory.
        left = .allocate(capacity: StemRing.capacity + StemRing.longestSpan)
        right = .allocate(capacity: StemRing.capacity + StemRing.longestSpan)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }

    /// The frames that a start needs of a source that has `sourceRate` frames a second.
    @_noLocks static func startFrames(_ sourceRate: Double) -> Int64 {
        let frames = Int64(sourceRate / 5)
        return (frames > pieceFrames ? frames : pieceFrames) + 2 * reach
    }

    /// The feeder's end of a ring.
    struct Writer: BitwiseCopyable, @unchecked Sendable {
        private let ring: UnsafePointer<StemRing>

        init(_ ring: UnsafePointer<StemRing>) { self.ring = ring }

        /// Begins anew at `frame`. Only while the audio thread does not read the ring.
        func restart(at frame: Int64) {
            ring.pointee.oldest.store(frame, ordering: .relaxed)
            ring.pointee.written.store(frame, ordering: .relaxed)
            ring.pointee.end.store(.max, ordering: .relaxed)
            ring.pointee.released.store(frame, ordering: .releasing)
        }

        /// Leaves out what was passed while a source was too slow.
        func skip(to frame: Int64) {
            ring.pointee.oldest.store(frame, ordering: .relaxed)
            ring.pointee.written.store(frame, ordering: .releasing)
        }

        /// Frames before this one are written.
        var written: Int64 { ring.pointee.written.load(ordering: .acquiring) }

        /// Frames before this one are not needed any more.
        var released: Int64 { ring.pointee.released.load(ordering: .acquiring) }

        /// The source's length; the end of time where it is not known.
        var end: Int64 { ring.pointee.end.load(ordering: .acquiring) }

        /// Says where the source ends.
        func setEnd(_ frame: Int64) { ring.pointee.end.store(frame, ordering: .releasing) }

        /// Says whether a start on the stem's first frame would click.
        func setStartsLoud(_ isLoud: Bool) { ring.pointee.startsLoud.store(isLoud, ordering: .relaxed) }

        /// Puts frames behind those that are written, where there is room for them.
        func append(_ sourceLeft: UnsafePointer<Float>, _ sourceRight: UnsafePointer<Float>, count: Int) {
            let first = ring.pointee.written.load(ordering: .relaxed)
            put(sourceLeft, into: ring.pointee.left, at: first, count)
            put(sourceRight, into: ring.pointee.right, at: first, count)
            ring.pointee.written.store(first + Int64(count), ordering: .releasing)
        }

        private func put(
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
    }

    /// The audio thread's end of a ring.
    struct Reader: BitwiseCopyable, @unchecked Sendable {
        private let ring: UnsafePointer<StemRing>

        @_noLocks init(_ ring: UnsafePointer<StemRing>) { self.ring = ring }

        /// Frames before this one are written.
        var written: Int64 { @_noLocks get { ring.pointee.written.load(ordering: .acquiring) } }

        /// The source's length; the end of time where it is not known.
        var end: Int64 { @_noLocks get { ring.pointee.end.load(ordering: .acquiring) } }

        /// Whether a start on the stem's first frame would click.
        var startsLoud: Bool { @_noLocks get { ring.pointee.startsLoud.load(ordering: .relaxed) } }

        /// The first frame that is there and stays there.
        var firstReadable: Int64 {
            @_noLocks get {
                let first = ring.pointee.oldest.load(ordering: .relaxed)
                let kept = ring.pointee.released.load(ordering: .relaxed)
                return kept > first ? kept : first
            }
        }

        /// Whether there is what a start needs: 0.2 s of a source that has `sourceRate` frames a second.
        @_noLocks func isStocked(sourceRate: Double) -> Bool {
            written - ring.pointee.oldest.load(ordering: .relaxed) >= StemRing.startFrames(sourceRate)
        }

        /// Gives up the frames before `frame`. They are not taken back, for a feeder may be overwriting them.
        @_noLocks func release(before frame: Int64) {
            if frame > ring.pointee.released.load(ordering: .relaxed) {
                ring.pointee.released.store(frame, ordering: .releasing)
            }
        }

        /// The frames `first ..< first + length`, of which at most ``longestSpan`` are asked for.
        @_noLocks func region(from first: Int64, length: Int) -> SourceRegion {
            let slot = Int(first) & (StemRing.capacity - 1)
            return SourceRegion(
                left: UnsafePointer(ring.pointee.left + slot), right: UnsafePointer(ring.pointee.right + slot),
                length: length)
        }
    }
}
