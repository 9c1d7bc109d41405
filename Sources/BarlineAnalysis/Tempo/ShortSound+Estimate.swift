import Foundation

extension ShortSound {
    /// The tempo, the beats and the number of beats of a loop.
    func estimate(hints: [TempoHint]) -> TempoEstimate {
        let free = TempoDistribution.ofTempos(windowed, onsets: onsets)
        let counted = TempoDistribution.ofBeats(self)
        let times = OnsetTimes(looped)
        let cut = LogisticModel.loopCut.probability(LoopCut(self, times: times, free: free, beats: counted).values)
        let together = TempoDistribution.mixture(counted, cut, free).weighed(by: hints)
        guard let best = together.candidates.first else { return .none(.noPulse, confidence: 0.5) }
        let isLoop = cut >= 0.5 && best.beats != nil
        var bpm = best.bpm
        var loopBeats = isLoop ? best.beats : nil
        if !isLoop {
            bpm = times.line(near: best.bpm).bpm
            if let snapped = snappedToContent(bpm) {
                bpm = snapped.bpm
                loopBeats = snapped.isWhole ? snapped.beats : nil
            }
        }
        let grid = BeatGrid(sound: self, times: times, bpm: bpm, isLoop: loopBeats != nil)
        return TempoEstimate(
            bpm: bpm, confidence: best.probability, beats: grid.beats, downbeats: [], beatsPerBar: nil,
            loopBeats: loopBeats, alternatives: together.alternatives(beside: best.bpm),
            source: TempoEstimate.source(of: bpm, hints: hints), absence: nil)
    }

    /// The tempo that follows from the length, where it is within a few milliseconds of what is heard.
    private func snappedToContent(_ bpm: Double) -> (bpm: Double, beats: Double, isWhole: Bool)? {
        let beats = seconds * bpm / 60
        let whole = beats.rounded()
        guard whole >= 2, abs(beats - whole) * 60 / bpm < 0.006 else { return nil }
        return (60 * whole / seconds, whole, true)
    }
}

extension TempoDistribution {
    /// The likeliest tempos besides one.
    func alternatives(beside bpm: Double) -> [TempoEstimate.Alternative] {
        candidates.lazy.filter { abs(log2($0.bpm / bpm)) > 0.02 && $0.probability > 0.001 }.prefix(6).map {
            TempoEstimate.Alternative(bpm: $0.bpm, confidence: $0.probability)
        }
    }
}

extension TempoEstimate {
    /// Who has said the tempo that was found.
    static func source(of bpm: Double, hints: [TempoHint]) -> Source {
        hints.first { abs(log2($0.bpm / bpm)) < 0.02 }?.source ?? .audio
    }
}
