/// The frames that a ring must hold around a position that is read.
struct SourceReach: BitwiseCopyable, Sendable {
    /// Slots of the ring.
    let capacity: Int
    /// Frames before the position.
    let behind: Int64
    /// Frames after it, whatever the rate.
    private let ahead: Int64
    /// Frames after it for each source frame an output frame.
    private let aheadPerRate: Int64

    /// What the interpolator needs.
    static let interpolated = SourceReach(
        capacity: SourceRing.capacity, behind: SourceRing.reach, ahead: SourceRing.reach, aheadPerRate: 0)

    /// What grains of `grainFrames` need, which are read up to half their length and a sixty-fourth ahead, where the source
    /// may be ahead of the timeline by as much again; at more than four source frames a frame they are cut off.
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

    /// How many more slots there are than in a ring that is only interpolated.
    var spareFrames: Int64 { Int64(capacity - SourceRing.capacity) }

    /// Frames after a position that is read at `rate`.
    @_noLocks func framesAhead(rate: Double) -> Int64 { ahead + Int64(rate * Double(aheadPerRate)) }

    /// The frames that a start needs of a source that has `sourceRate` frames a second: 0.2 s, and what lies around them.
    @_noLocks func startFrames(_ sourceRate: Double) -> Int64 {
        let frames = Int64(sourceRate / 5)
        return (frames > SourceRing.pieceFrames ? frames : SourceRing.pieceFrames) + behind + framesAhead(rate: 2)
    }
}
