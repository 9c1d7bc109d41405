import BarlineTime
import Foundation

/// The features of a sound for one candidate for its beat, which the classifier weighs.
struct TempoFeatures {
    /// The candidate's tempo in BPM.
    let bpm: Double
    /// The numbers, in a fixed order.
    private(set) var values: [Float] = []

    private static let frequencyRatios = [0.125, 0.25, 1.0 / 3, 0.5, 2.0 / 3, 1, 4.0 / 3, 1.5, 2, 3, 4, 6, 8]
    private static let tempoRatios = [1, 0.5, 2, 1.0 / 3, 3, 2.0 / 3, 1.5, 0.75, 4.0 / 3]
    private static let lagRatios = [0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1, 1.5, 2, 3, 4, 6, 8]

    /// The numbers for a beat of `bpm`.
    ///
    /// - Parameters:
    ///   - bpm: the candidate.
    ///   - profile: the sound's periodicities.
    ///   - onsets: onsets a second.
    ///   - activity: what the beat network detects.
    init(bpm: Double, profile: PeriodicityProfile, onsets: OnsetCount, activity: BeatActivity) {
        self.bpm = bpm
        let frequency = Tempo.beats(in: 1, at: bpm)
        let octaves = log2(bpm / 120)
        for center in stride(from: -1.5, through: 1.0, by: 0.25) {
            values.append(Float(exp(-pow((octaves - center) / 0.25, 2) / 2)))
        }
        values += [Float(octaves), Float(octaves * octaves)]
        for row in 0..<PeriodicityProfile.rowCount {
            for ratio in TempoFeatures.frequencyRatios {
                values.append(profile.magnitude(row, at: frequency * ratio))
            }
            for ratio in TempoFeatures.lagRatios {
                values.append(profile.correlation(row, at: ratio / frequency) ?? 0)
            }
        }
        for row in 1..<PeriodicityProfile.rowCount {
            for ratio in [0.25, 0.5, 1, 2] { values.append(profile.crossing(row, at: frequency * ratio)) }
        }
        for row in 0..<PeriodicityProfile.rowCount {
            for ratio in [0.25, 0.5, 1, 2] { values.append(profile.coupling(row, at: frequency * ratio)) }
        }
        for rate in onsets.rates { values.append(log2(rate / Float(frequency) + 0.05)) }
        values.append(profile.span * frequency > 8 ? 1 : 0)
        for ratio in TempoFeatures.tempoRatios { values.append(activity.tempoLevel(near: bpm * ratio)) }
    }

    /// Adds what is asked of a loop about its length in beats.
    mutating func addLoop(beats: Double, profile: PeriodicityProfile, free: PeriodicityProfile) {
        let frequency = Tempo.beats(in: 1, at: bpm)
        let isWhole = beats == beats.rounded()
        for divisor in [2.0, 3, 4, 5, 7, 8, 16, 32] {
            values.append(isWhole && beats.truncatingRemainder(dividingBy: divisor) == 0 ? 1 : 0)
        }
        values += [isWhole ? 0 : 1, Float(log2(beats))]
        for exact in [1.0, 2, 4, 8, 16, 32] { values.append(beats == exact ? 1 : 0) }
        for row in 0..<PeriodicityProfile.rowCount {
            for ratio in [0.25, 0.5, 1, 2] { values.append(profile.alignment(row, at: frequency * ratio)) }
        }
        for row in [0, PeriodicityProfile.total] {
            for ratio in [0.5, 1, 2, 4] { values.append(free.correlation(row, at: ratio / frequency) ?? 0) }
            values.append(free.magnitude(row, at: frequency))
            values.append(free.magnitude(row, at: 2 * frequency))
        }
    }
}

/// The rate of onsets, by band.
struct OnsetCount {
    /// Onsets a second, by the rows of ``PeriodicityProfile``.
    let rates: [Float]
    /// How many there are over all bands.
    let count: Int

    init(_ envelope: OnsetEnvelope) {
        let rows = envelope.bands + [envelope.total]
        let counts = rows.map { OnsetCount.peaks($0).count }
        let seconds = Float(max(envelope.count, 1)) / Float(OnsetEnvelope.rate)
        rates = counts.map { Float($0) / seconds }
        count = counts.last ?? 0
    }

    /// The indices of the peaks that stand out.
    static func peaks(_ row: [Float]) -> [Int] {
        let peaks = OnsetEnvelope.peaks(row)
        let threshold = 0.15 * OnsetEnvelope.typicalHeight(peaks.map { row[$0] })
        return peaks.filter { row[$0] > threshold }
    }
}
