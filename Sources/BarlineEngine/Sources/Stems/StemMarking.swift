import BarlineDSP
import BarlineTime

/// Keeps a deck's marks ahead of the frames in its ring.
///
/// The output at a frame depends on marks up to a second of the timeline ahead, which is four seconds of the source at
/// the highest rate: so many are always available before the frames are, and the output does not depend on when they
/// were read.
struct StemMarking {
    private let stretching: StemStretching
    private let ring: StemMarkRing.Writer
    private let ahead: Int64
    /// Marks before this frame are in the ring.
    private var end: Int64 = 0

    private static let secondsAhead = 4.5

    /// Creates one; `nil` for a stem whose pitch is not kept.
    init?(_ stem: Stem, _ ring: StemMarkRing.Writer) {
        guard let stretching = stem.stretching else { return nil }
        self.stretching = stretching
        self.ring = ring
        ahead = stretching.pitchRate.frames(seconds: StemMarking.secondsAhead)
    }

    /// Appends the marks that a piece of the source needs. If they can't be found there are none: a source that can't
    /// be read is silent.
    mutating func add(_ piece: SourceFeed.Piece) {
        if piece.isFirst {
            ring.restart()
            end = piece.first
        }
        let target = piece.first + Int64(piece.count) + ahead
        guard target > end else { return }
        ring.append((try? stretching.marks.marks(in: end..<target)) ?? [])
        end = target
    }
}
