import Foundation

/// A sound that is no loop, by its onset envelope.
struct Song {
    let envelope: OnsetEnvelope

    init(_ envelope: OnsetEnvelope) { self.envelope = envelope }

    /// The tempo and the beats.
    ///
    /// - Parameters:
    ///   - hints: tempos that others claim.
    ///   - calibration: how often answers of some confidence are right.
    /// - Returns: the estimate; without a tempo it says why.
    func estimate(hints: [TempoHint], calibration: Calibration) -> TempoEstimate {
        let onsets = OnsetCount(envelope)
        guard onsets.count >= 3 else { return .none(.tooFewOnsets, confidence: 0.95) }
        let profile = PeriodicityProfile(windowsOf: envelope)
        let tempos = TempoDistribution.ofTempos(profile, onsets: onsets, activity: envelope.activity)
            .weighted(by: hints)
        guard let best = tempos.candidates.first else { return .none(.noPulse, confidence: 0.5) }
        let music = LogisticModel.tempoProbability(
            MusicEvidence(
                envelope, profile: profile, circular: profile, bpm: best.bpm, confidence: best.probability),
            hints: hints)
        guard music >= LogisticModel.musicThreshold else { return .none(.noPulse, confidence: 1 - music) }
        let tracked = BeatTracker(envelope, bpm: best.bpm).track()
        let grid = Grid(tracked.beats, envelope: envelope, loopBeats: nil)
        return TempoEstimate(
            bpm: tracked.bpm, confidence: best.probability * music, beats: grid.beats, downbeats: grid.downbeats,
            beatsPerBar: grid.beatsPerBar, loopBeats: nil, alternatives: tempos.alternatives(beside: best.bpm),
            source: TempoEstimate.source(of: best.bpm, hints: hints), absence: nil
        ).calibrated(by: calibration)
    }
}
