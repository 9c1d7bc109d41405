/// What a sound's tempo is taken to be, and what else it could be.
public struct TempoEstimate: Hashable, Sendable {
    /// A tempo and how likely it is.
    public struct Alternative: Hashable, Sendable {
        /// The tempo in BPM.
        public var bpm: Double
        /// How likely it is, 0 … 1.
        public var confidence: Double

        /// Creates an alternative.
        package init(bpm: Double, confidence: Double) {
            self.bpm = bpm
            self.confidence = confidence
        }
    }

    /// Where the answer comes from.
    public enum Source: String, Hashable, Sendable {
        /// The sound alone.
        case audio
        /// The sound, and a tempo or number of beats in the file that agrees with it.
        case metadata
        /// The sound, and a tempo in the file's name that agrees with it.
        case name
        /// A correction by the user.
        case correction
    }

    /// Why there is no tempo.
    public enum Absence: String, Hashable, Sendable {
        /// There is nothing to hear.
        case silence = "silence"
        /// There are fewer than three onsets.
        case tooFewOnsets = "too few onsets"
        /// It is shorter than half a second.
        case tooShort = "too short"
        /// What begins, begins at no regular times.
        case noPulse = "no regular pulse"
    }

    /// The tempo in BPM, not rounded; `nil` where there is none.
    public var bpm: Double?
    /// How likely the tempo, or that there is none, is right: 0 … 1.
    public var confidence: Double
    /// The times of the beats in seconds.
    public var beats: [Double]
    /// The times of the first beats of bars in seconds.
    public var downbeats: [Double]
    /// Beats in a bar; `nil` where it is unknown.
    public var beatsPerBar: Int?
    /// How many beats the file is where it is a loop; 3.5 for a bar of 7/8.
    public var loopBeats: Double?
    /// Other tempos, likeliest first.
    public var alternatives: [Alternative]
    /// Where the answer comes from.
    public var source: Source
    /// Why there is no tempo.
    public var absence: Absence?

    /// An estimate of no tempo.
    static func none(_ absence: Absence, confidence: Double) -> TempoEstimate {
        TempoEstimate(
            bpm: nil, confidence: confidence, beats: [], downbeats: [], beatsPerBar: nil, loopBeats: nil,
            alternatives: [], source: .audio, absence: absence)
    }
}
