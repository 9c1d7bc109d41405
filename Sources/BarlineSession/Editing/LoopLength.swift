import BarlineTime
import BarlineFiles

/// The length of a loop in beats at a stated tempo: a loop of a whole number of beats wraps on the beat, one that is
/// 4.02 beats slips a little more with every cycle.
///
/// A clip is a loop where it loops and the analysis of its region, or its file, says of how many beats it is. Of one
/// that loops and of which nothing is known, only a length that is all but whole is taken for one.
struct LoopLength {
    /// The region's length.
    let seconds: Double
    /// Whether the clip loops, and its tempo may be moved to the nearest one that fits.
    let isWanted: Bool
    /// The number of beats that the sound was heard or said to have; `nil` where it is no loop for all that is known.
    let detected: Double?

    /// How far from a whole number of beats a region may be of which nobody knows that it is a loop, in beats.
    static let tolerance = 0.05

    /// The length in beats at a tempo; `nil` where the tempo is to be taken as it is.
    func beats(at tempo: Double) -> Double? {
        guard isWanted else { return nil }
        let wanted = Tempo.beats(in: seconds, at: tempo)
        if let detected {
            // A bar of 7/8 is three and a half.
            let step = detected == detected.rounded() ? 1 : 0.5
            return max(step, (wanted / step).rounded() * step)
        }
        let whole = wanted.rounded()
        return whole >= 1 && abs(wanted - whole) <= LoopLength.tolerance ? whole : nil
    }
}

extension AudioClip {
    /// The number of beats that the file says it has.
    var loopBeats: Double? { metadata.beats.map(Double.init) }
}
