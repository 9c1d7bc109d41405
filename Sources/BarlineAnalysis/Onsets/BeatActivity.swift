/// The beat networks' activations over a sound.
struct BeatActivity: Sendable {
    /// How likely a beat is, 0 … 1: as many a second as values of an ``OnsetEnvelope``.
    let beats: [Float]
    /// How likely a downbeat is, likewise.
    let downbeats: [Float]
    /// Logarithms of the probabilities of the networks' tempo classes.
    let tempoLevels: [Float]

    /// Nothing.
    static let none = BeatActivity(beats: [], downbeats: [], tempoLevels: [])

    /// What was heard.
    init(beats: [Float], downbeats: [Float], tempoLevels: [Float]) {
        self.beats = beats
        self.downbeats = downbeats
        self.tempoLevels = tempoLevels
    }
}
