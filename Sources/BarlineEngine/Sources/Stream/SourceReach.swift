/// The frames that a ring must hold around the position being read.
struct SourceReach: BitwiseCopyable, Sendable {
    /// The number of slots of the ring.
    let capacity: Int
    /// The number of frames before the position.
    let behind: Int64
    /// The number of frames after it, whatever the rate.
    private let ahead: Int64
    /// The number of further frames after it, per source frame per output frame.
    private let aheadPerRate: Int64

    /// The needs of the interpolator.
    static let interpolated = SourceReach(
        capacity: SourceRing.capacity, behind: SourceRing.reach, ahead: SourceRing.reach, aheadPerRate: 0)

    /// The needs of grains of `grainFrames`, which are read up to half their length and a sixty-fourth ahead, while the
    /// source may lead the timeline by as much again; at more than four source frames per frame they are cut off.
    init(grainFrames: Int) {
        let grain = Int64(grainFrames)
        self.init(
            capacity: max(2 * SourceRing.capacity, 32 * grainFrames), behind: 3 * grain, ahead: grain,
            aheadPerRate: grain)
    }

    private init(capacity: Int, behind: Int64, ahead: Int64, aheadPerRate: Int64) {
        self.capacity = capacity
        self.behind = behind
        self.ahead = ahead
        self.aheadPerRate = aheadPerRate
    }

    /// The number of slots in addition to those of a ring that is only interpolated.
    var spareFrames: Int64 { Int64(capacity - SourceRing.capacity) }

    /// The number of frames needed after a position that is read at `rate`.
    @_noLocks func framesAhead(rate: Double) -> Int64 { ahead + Int64(rate * Double(aheadPerRate)) }

    /// The number of frames needed to start a source of `sourceRate` frames per second: 0.2 s, plus those around them.
    @_noLocks func startFrames(_ sourceRate: Double) -> Int64 {
        let frames = Int64(sourceRate / 5)
        return (frames > SourceRing.pieceFrames ? frames : SourceRing.pieceFrames) + behind + framesAhead(rate: 2)
    }
}
