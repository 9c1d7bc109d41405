import Foundation

/// A tempo that a file or its name claims: a prior that the sound may overrule.
public struct TempoHint: Hashable, Sendable {
    /// The tempo in BPM.
    public let bpm: Double
    /// Who claims it.
    public let source: TempoEstimate.Source

    /// Creates a hint.
    public init(bpm: Double, source: TempoEstimate.Source) {
        self.bpm = bpm
        self.source = source
    }

    /// How many times likelier a tempo becomes that agrees: titles are seldom wrong by anything but an octave.
    func weight(of bpm: Double) -> Double {
        let octaves = abs(log2(bpm / self.bpm))
        if octaves < 0.02 { return 40 }
        if abs(octaves - 1) < 0.02 { return 3 }
        return 1
    }
}
