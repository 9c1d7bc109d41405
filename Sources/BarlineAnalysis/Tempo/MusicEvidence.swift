import BarlineTime
import Foundation

/// Features that distinguish music with a pulse from speech, noise and single sounds: the numbers for a logistic model.
struct MusicEvidence {
    let values: [Double]

    /// - Parameters:
    ///   - envelope: the sound's.
    ///   - profile: its periodicities as it is.
    ///   - circular: its periodicities where it is taken as a loop; the same as `profile` for long sounds.
    ///   - bpm: its likeliest tempo.
    ///   - confidence: how likely that is.
    init(
        _ envelope: OnsetEnvelope, profile: PeriodicityProfile, circular: PeriodicityProfile, bpm: Double,
        confidence: Double
    ) {
        let times = OnsetTimes(envelope)
        let period = Tempo.seconds(of: 1, at: bpm)
        func repeats(_ profile: PeriodicityProfile, _ row: Int, _ ratio: Double) -> Double {
            Double(profile.correlation(row, at: period * ratio) ?? 0)
        }
        let total = PeriodicityProfile.total
        let rows = 0..<PeriodicityProfile.rowCount
        let best = rows.map { row in repeats(profile, row, 1) + repeats(profile, row, 2) }.max() ?? 0
        let fine = rows.map { row in max(repeats(circular, row, 0.25), repeats(circular, row, 0.5)) }.max() ?? 0
        let far = rows.map { row in repeats(circular, row, 4) }.max() ?? 0
        let pulse = rows.map { row in Double(circular.magnitude(row, at: Tempo.beats(in: 1, at: bpm))) }.max() ?? 0
        let finePulse =
            rows.map { row in
                [2.0, 4].map { Double(circular.magnitude(row, at: Tempo.beats(in: $0, at: bpm))) }.max() ?? 0
            }.max() ?? 0
        let perSecond = Double(times.times.count) / max(0.1, Double(envelope.count) / OnsetEnvelope.rate)
        // How near the onsets are to quarters of the beat.
        let (real, imaginary) = times.spectrum(Tempo.beats(in: 4, at: bpm))
        let weight = max(1e-6, times.weights.reduce(0, +))
        let proximity = (real * real + imaginary * imaginary).squareRoot() / weight
        // Notes and drums begin suddenly; syllables and noise hardly stand out of what is between them.
        let mean = envelope.total.reduce(0, +) / Float(max(1, envelope.count))
        let peaks = envelope.onsets.reduce(Float(0)) { max($0, $1.strength) }
        let sharpness = Double(min(60, peaks / max(mean, 1e-3)))
        let strong = times.weights.sorted()
        let regularity = strong.isEmpty ? 0 : strong[strong.count / 2]
        // The network's beats: the highest fifth of them, and how sure it is of a tempo.
        let pulses = OnsetEnvelope.peaks(envelope.activity.beats).map { envelope.activity.beats[$0] }.sorted(by: >)
        let clearest = pulses.prefix(max(1, pulses.count / 5))
        let pulseClarity = Double(clearest.reduce(0, +)) / Double(max(1, clearest.count))
        let tempoLevel = Double(envelope.activity.tempoLevels.max() ?? -4)
        let shown = envelope.activity.tempoLevels.isEmpty ? -14 : Double(envelope.activity.tempoLevel(near: bpm))
        values = [
            pulseClarity, Double(pulses.first ?? 0), tempoLevel, shown,
            best, fine, far, pulse, finePulse, proximity, log2(perSecond + 0.1), log2(Double(times.times.count) + 1),
            log2(sharpness + 1), regularity, confidence, repeats(profile, total, 1), repeats(circular, total, 1),
            repeats(circular, total, 2), min(5, proximity * Double(times.times.count).squareRoot()),
        ]
    }
}
