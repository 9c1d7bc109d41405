/// A user's correction of an analysis.
public enum TempoCorrection: Hashable, Sendable {
    /// Doubles the tempo.
    case double
    /// Halves the tempo.
    case halve
    /// Multiplies the tempo by 3/2.
    case threeHalves
    /// Multiplies the tempo by 2/3.
    case twoThirds
    /// Makes the file a loop of the given number of beats, above 0.
    case beats(Double)
    /// Sets the tempo by taps: at least two times in seconds, ascending.
    case taps([Double])
    /// Shifts all beats by seconds.
    case shift(seconds: Double)
    /// Shifts the downbeats by beats.
    case moveDownbeat(beats: Int)
    /// Sets the number of beats per bar, 1 … 64.
    case bar(beats: Int)
}
