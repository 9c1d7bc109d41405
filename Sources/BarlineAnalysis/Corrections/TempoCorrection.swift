/// What a user says who knows better than the analysis.
public enum TempoCorrection: Hashable, Sendable {
    /// The beat is half as long: the tempo doubles.
    case double
    /// The beat is twice as long: the tempo halves.
    case halve
    /// Three beats where there were two.
    case threeHalves
    /// Two beats where there were three.
    case twoThirds
    /// The file is a loop of so many beats, above 0.
    case beats(Double)
    /// The tempo is as tapped: times in seconds, at least two, in order.
    case taps([Double])
    /// Every beat is later by so many seconds, or earlier.
    case shift(seconds: Double)
    /// Bars begin so many beats later, or earlier.
    case moveDownbeat(beats: Int)
    /// A bar has so many beats, 1 … 64.
    case bar(beats: Int)
}
