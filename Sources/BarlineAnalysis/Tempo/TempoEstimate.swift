/// An estimate of tempo, beats and bars, with alternatives.
public struct TempoEstimate: Hashable, Sendable {
    /// A tempo and its probability.
    public struct Alternative: Hashable, Sendable {
        /// The tempo in BPM.
        public var bpm: Double
        /// Its probability, 0 … 1.
        public var confidence: Double

        /// Creates an alternative.
        package init(bpm: Double, confidence: Double) {
            self.bpm = bpm
            self.confidence = confidence
        }
    }

    /// The source of the estimate.
    public enum Source: String, Hashable, Sendable {
        /// The audio alone.
        case audio
        /// The audio, confirmed by a tempo or number of beats in the file.
        case metadata
        /// The audio, confirmed by a tempo in the file's name.
        case name
        /// A correction by the user.
        case correction
    }

    /// The reason why there is no tempo.
    public enum Absence: String, Hashable, Sendable {
        /// It is silent.
        case silence = "silence"
        /// It has fewer than three onsets.
        case tooFewOnsets = "too few onsets"
        /// It is shorter than half a second.
        case tooShort = "too short"
        /// Its onsets are not periodic.
        case noPulse = "no regular pulse"
    }

    /// The tempo in BPM, not rounded; `nil` if there is none.
    public var bpm: Double?
    /// The probability that the tempo, or its absence, is right, 0 … 1.
    public var confidence: Double
    /// The times of the beats in seconds.
    public var beats: [Double]
    /// The times of the downbeats in seconds.
    public var downbeats: [Double]
    /// The number of beats per bar; `nil` if unknown.
    public var beatsPerBar: Int?
    /// The length of a loop in beats, 3.5 for a bar of 7/8; `nil` if it is no loop.
    public var loopBeats: Double?
    /// Other tempi, the most probable one first.
    public var alternatives: [Alternative]
    /// The source of the estimate.
    public var source: Source
    /// The reason why there is no tempo.
    public var absence: Absence?

    /// An estimate of no tempo.
    static func none(_ absence: Absence, confidence: Double) -> TempoEstimate {
        TempoEstimate(
            bpm: nil, confidence: confidence, beats: [], downbeats: [], beatsPerBar: nil, loopBeats: nil,
            alternatives: [], source: .audio, absence: absence)
    }
}
