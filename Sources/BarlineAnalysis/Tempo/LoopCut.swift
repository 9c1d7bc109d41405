import BarlineTime
import Foundation

/// Features by which it is decided whether a sound is cut on its beats: the numbers for a logistic model.
struct LoopCut {
    /// Names and values, in a fixed order.
    let values: [Double]

    init(_ sound: ShortSound, times: OnsetTimes, free: TempoDistribution, beats: TempoDistribution) {
        let likely = free.candidates.first?.bpm ?? 120
        let frequency = times.pulse(near: Tempo.beats(in: 1, at: likely), reach: 0.03).frequency
        let length = sound.seconds * frequency
        let drift = abs(length - length.rounded())
        let counted = beats.candidates.first
        let near = times.pulse(near: Tempo.beats(in: 1, at: counted?.bpm ?? likely), reach: 0.03).frequency
        let countedDrift = abs(sound.seconds * near - (counted?.beats ?? 1))
        let active = sound.looped.activeRange
        let lead = Tempo.beats(in: Double(active.lowerBound) / OnsetEnvelope.rate, at: likely)
        let trail = Tempo.beats(in: Double(sound.looped.count - active.upperBound) / OnsetEnvelope.rate, at: likely)
        let first = times.times.first { $0 > -0.02 } ?? 0
        let start = Tempo.beats(in: min(first, abs(first - sound.seconds)), at: likely)
        let wholeBars = length.rounded().truncatingRemainder(dividingBy: 4) == 0
        values = [
            min(drift, 0.5), min(countedDrift, 1), min(lead, 1), min(trail, 1), min(start, 1),
            free.probability(near: counted?.bpm ?? 0), counted?.probability ?? 0, wholeBars ? 1 : 0,
            (counted?.beats ?? 1).truncatingRemainder(dividingBy: 4) == 0 ? 1 : 0,
            sound.seconds > 30 ? 1 : 0, drift < 0.08 ? 1 : 0, min(log2(length + 1), 7), sound.looped.tailLevel,
            Double(
                sound.circular.alignment(PeriodicityProfile.total, at: Tempo.beats(in: 1, at: counted?.bpm ?? likely))),
        ]
    }
}

extension OnsetEnvelope {
    /// Where the power is above −45 dB of the loudest.
    var activeRange: Range<Int> {
        guard let first = power.firstIndex(where: { $0 > 3e-5 }), let last = power.lastIndex(where: { $0 > 3e-5 })
        else { return 0..<0 }
        return first..<last + 1
    }

    /// The level of the last tenth beside the whole's, in bels.
    var tailLevel: Double {
        let tail = power.suffix(max(1, count / 10))
        let mean = power.reduce(0, +) / Float(max(1, count))
        let ratio = Double(tail.reduce(0, +)) / Double(tail.count) / Double(max(mean, 1e-9))
        return log10(max(ratio, 1e-5))
    }
}
