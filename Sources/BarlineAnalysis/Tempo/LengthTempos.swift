import BarlineTime
import Foundation

/// The tempos at which a sound's length is a usual number of beats: all that a pad without a pulse says of its own.
enum LengthTempos {
    /// How far, in seconds, a length may be from that of its beats at a whole number of BPM.
    private static let tolerance = 0.001
    /// The tempo that is likeliest where nothing else is known, and how many octaves others may be from it.
    private static let likeliest = (bpm: 112.0, octaves: 0.6)
    /// Numbers of beats, and how many times likelier than others: loops have two, four, eight bars.
    private static let counts: [(beats: Double, weight: Double)] =
        (1...7).map { (exp2(Double($0)), 4) } + (0...6).map { (3 * exp2(Double($0)), 1) }

    /// Whole numbers of BPM that explain a length to the millisecond, likeliest first; their shares add up to 1.
    ///
    /// - Parameter seconds: the sound's length.
    /// - Returns: the tempos; none where the length is that of no loop.
    static func tempos(ofSeconds seconds: Double) -> [TempoEstimate.Alternative] {
        let found = counts.compactMap { beats, weight -> TempoEstimate.Alternative? in
            let bpm = Tempo.beatsPerMinute(of: beats, in: seconds).rounded()
            guard TempoCandidates.range.contains(bpm), abs(Tempo.seconds(of: beats, at: bpm) - seconds) < tolerance
            else {
                return nil
            }
            let octaves = log2(bpm / likeliest.bpm) / likeliest.octaves
            return TempoEstimate.Alternative(
                bpm: Tempo.beatsPerMinute(of: beats, in: seconds), confidence: weight * exp(-octaves * octaves / 2))
        }
        let sum = found.reduce(0) { $0 + $1.confidence }
        return found.map { TempoEstimate.Alternative(bpm: $0.bpm, confidence: $0.confidence / sum) }
            .sorted { $0.confidence > $1.confidence }
    }
}

extension TempoEstimate {
    /// How likely a tempo must be for the length to have nothing to add: that of a loop follows from it already, and
    /// what beats slowly within a chord is easily taken for a pulse.
    private static let requiredConfidence = (loop: 0.5, other: 0.9)
    /// How many tempos are offered at most.
    private static let mostOffered = 4
    /// How much of what is left to the alternatives goes to those that follow from the length, where there are others.
    private static let lengthShare = 0.25

    /// The same, with the tempos that follow from the length among the alternatives where no tempo is sure.
    func offeringLength(ofSeconds seconds: Double) -> TempoEstimate {
        let requiredConfidence =
            loopBeats == nil ? TempoEstimate.requiredConfidence.other : TempoEstimate.requiredConfidence.loop
        guard bpm == nil || confidence < requiredConfidence else { return self }
        let known = [bpm].compactMap { $0 } + alternatives.map(\.bpm)
        let offered = LengthTempos.tempos(ofSeconds: seconds).filter { tempo in
            !known.contains { abs(log2($0 / tempo.bpm)) < 0.002 }
        }.prefix(TempoEstimate.mostOffered)
        guard !offered.isEmpty else { return self }
        let share = alternatives.isEmpty ? 1 : TempoEstimate.lengthShare
        var changed = self
        for index in changed.alternatives.indices { changed.alternatives[index].confidence *= 1 - share }
        changed.alternatives += offered.map {
            Alternative(bpm: $0.bpm, confidence: $0.confidence * share * (1 - confidence))
        }
        changed.alternatives.sort { $0.confidence > $1.confidence }
        return changed
    }
}
