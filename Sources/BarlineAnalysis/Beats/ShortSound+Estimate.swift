import BarlineTime
import Foundation

extension ShortSound {
    /// The likely tempos, and how likely the sound is cut on its beats.
    func tempos(hints: [TempoHint], times: OnsetTimes) -> (tempos: TempoDistribution, cut: Double) {
        let free = TempoDistribution.ofTempos(windowed, onsets: onsets, activity: looped.activity)
        let counted = TempoDistribution.ofBeats(self)
        let cut = LogisticModel.cutProbability(
            LoopCut(self, times: times, free: free, beats: counted), hints: hints)
        return (TempoDistribution.mixture(counted.supported(by: free), cut, free).weighted(by: hints), cut)
    }

    /// The tempo, the beats and the number of beats of a loop.
    ///
    /// - Parameters:
    ///   - hints: tempos that others claim.
    ///   - calibration: how often answers of some confidence are right.
    /// - Returns: the estimate; without a tempo it says why.
    func estimate(hints: [TempoHint], calibration: Calibration) -> TempoEstimate {
        let times = OnsetTimes(looped)
        guard times.times.count >= 2 else { return .none(.tooFewOnsets, confidence: 0.95) }
        let (together, cut) = tempos(hints: hints, times: times)
        guard let best = together.candidates.first else { return .none(.noPulse, confidence: 0.5) }
        let music = LogisticModel.tempoProbability(
            MusicEvidence(
                looped, profile: windowed, circular: circular, bpm: best.bpm, confidence: best.probability),
            hints: hints)
        guard music >= LogisticModel.musicThreshold else { return .none(.noPulse, confidence: 1 - music) }
        let isLoop = cut >= 0.5 && best.beats != nil
        var bpm = best.bpm
        var loopBeats = isLoop ? best.beats : nil
        var beats: [Double]
        var startsOnBeat = true
        if !isLoop, seconds > 15 {
            let tracked = BeatTracker(looped, bpm: best.bpm).track()
            bpm = tracked.bpm
            beats = tracked.beats
        } else {
            var phase = 0.0
            if isLoop {
                phase = firstBeat(of: loopBeats, times: times, hints: hints)
                startsOnBeat = phase == 0
            } else {
                let line = times.line(near: best.bpm)
                bpm = line.bpm
                phase = line.offset
                if let snapped = snappedToLength(bpm) { (bpm, loopBeats) = snapped }
            }
            let period = Tempo.seconds(of: 1, at: bpm)
            phase -= (phase / period + 0.01).rounded(.down) * period
            beats = Array(stride(from: max(0, phase), to: seconds - 0.01, by: period))
        }
        let grid = Grid(beats, envelope: looped, loopBeats: loopBeats, startsOnBeat: startsOnBeat)
        return TempoEstimate(
            bpm: bpm, confidence: best.probability * music, beats: grid.beats, downbeats: grid.downbeats,
            beatsPerBar: grid.beatsPerBar, loopBeats: loopBeats,
            alternatives: together.alternatives(beside: best.bpm),
            source: TempoEstimate.source(of: bpm, hints: hints), absence: nil
        ).calibrated(by: calibration)
    }

    /// When a loop's first beat is: 0 where the beats that are heard don't speak against it.
    private func firstBeat(of count: Double?, times: OnsetTimes, hints: [TempoHint]) -> Double {
        guard let whole = count.flatMap(Int.init(exactly:)), whole > 0 else { return 0 }
        let phase = LoopPhase(self, times: times, beats: whole)
        return phase.isAtStart || LogisticModel.startProbability(phase, hints: hints) >= LoopPhase.threshold
            ? 0 : phase.offset
    }

    /// The tempo that follows from the length, where it is within a few milliseconds of what is heard.
    private func snappedToLength(_ bpm: Double) -> (bpm: Double, beats: Double)? {
        let beats = Tempo.beats(in: seconds, at: bpm)
        let whole = beats.rounded()
        guard whole >= 2, Tempo.seconds(of: abs(beats - whole), at: bpm) < 0.006 else { return nil }
        return (Tempo.beatsPerMinute(of: whole, in: seconds), whole)
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
        hints.first { $0.bpm.map { abs(log2($0 / bpm)) < 0.02 } ?? false }?.source ?? .audio
    }
}
