import Foundation

/// Beats, and which of them begin bars.
struct Grid {
    private(set) var beats: [Double]
    private(set) var downbeats: [Double] = []
    private(set) var beatsPerBar: Int?

    /// Chooses the phase and the bars of beats that are evenly spaced or nearly so.
    ///
    /// - Parameters:
    ///   - beats: in seconds.
    ///   - envelope: the sound's.
    ///   - loopBeats: the length where the sound is a loop.
    ///   - startsOnBeat: whether such a loop is cut on a beat.
    init(_ beats: [Double], envelope: OnsetEnvelope, loopBeats: Double?, startsOnBeat: Bool = true) {
        self.beats = beats
        if let loopBeats, loopBeats != loopBeats.rounded() {
            chooseShortBars(loopBeats)
            return
        }
        guard beats.count >= 3 else {
            downbeats = Array(beats.prefix(1))
            return
        }
        // A loop's length has determined how far apart its beats are, and what is heard where they are.
        if loopBeats == nil { choosePhase(envelope) }
        chooseBars(envelope, loopBeats: startsOnBeat ? loopBeats : nil)
    }

    private mutating func choosePhase(_ envelope: OnsetEnvelope) {
        let features = BeatFeatures(envelope, beats: beats)
        var shares = Classifier.probabilities(
            (0..<4).map { Classifier.beatPhases.score(features.values(rotation: $0)) })
        // The network has heard where the beats are.
        shares[0] *= 2
        guard let rotation = shares.indices.max(by: { shares[$0] < shares[$1] }), rotation > 0 else { return }
        // The first one may have been before the sound.
        var moved = beats.indices.map { index -> Double in
            let length =
                index + 1 < beats.count
                ? beats[index + 1] - beats[index] : beats[index] - beats[max(0, index - 1)]
            return beats[index] + length * Double(rotation) / 4
        }
        if let first = moved.first, moved.count > 1, first - (moved[1] - first) >= 0 {
            moved.insert(2 * first - moved[1], at: 0)
        }
        let end = Double(envelope.count) / OnsetEnvelope.rate
        beats = moved.filter { $0 < end - 0.01 }
    }

    private mutating func chooseBars(_ envelope: OnsetEnvelope, loopBeats: Double?) {
        let features = BarFeatures(BeatFeatures(envelope, beats: beats), loopBeats: loopBeats)
        let candidates = BarCandidate.all.filter { $0.beatsPerBar <= beats.count }
        let scores = candidates.map { Classifier.bars.score(features.values($0)) }
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return }
        beatsPerBar = candidates[best].beatsPerBar
        downbeats = stride(from: candidates[best].first, to: beats.count, by: candidates[best].beatsPerBar).map {
            beats[$0]
        }
    }

    /// Bars of seven eighths: three beats and a half, and the next bar begins.
    private mutating func chooseShortBars(_ loopBeats: Double) {
        guard beats.count >= 2 else { return }
        let period = beats[1] - beats[0]
        let start = beats[0]
        let bars = Int((loopBeats / 3.5).rounded(.down))
        downbeats = (0..<bars).map { start + 3.5 * period * Double($0) }
        beats = downbeats.flatMap { bar in (0..<4).map { bar + period * Double($0) } }
    }
}
