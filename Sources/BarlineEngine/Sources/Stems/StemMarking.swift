import BarlineDSP
import BarlineTime

/// Keeps a deck's marks ahead of the frames in its ring.
///
/// What is heard on a frame depends on marks up to a second of the timeline ahead, which is four seconds of the source at the
/// highest rate: so many are always there before the frames are, and what is heard does not depend on when they were read.
struct StemMarking {
    private let stretching: StemStretching
    private let ring: StemMarkRing.Writer
    private let ahead: Int64
    /// Marks before this frame are in the ring.
    private var end: Int64 = 0

    private static let secondsAhead = 4.5

    /// `nil` for a stem whose pitch is not kept.
    init?(_ stem: Stem, _ ring: StemMarkRing.Writer) {
        guard let stretching = stem.stretching else { return nil }
        self.stretching = stretching
        self.ring = ring
        ahead = stretching.pitchRate.frames(seconds: StemMarking.secondsAhead)
    }

    /// Puts in the marks that are needed for a piece of the source. Where they can't be found, what can't be read is silent.
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
