import BarlineDSP
import Foundation

/// A sound of at most a minute, prepared for the questions that are asked of it.
struct ShortSound {
    /// Seconds.
    let seconds: Double
    /// The onsets of the sound taken as a loop.
    let looped: OnsetEnvelope
    /// What the beat networks see of it.
    let rows: BeatRows
    let circular: PeriodicityProfile
    /// The sound as it is, from its first onset to where it falls silent.
    let windowed: PeriodicityProfile
    let onsets: OnsetCount

    /// Prepares mono samples.
    init(_ samples: [Float], sampleRate: Double, networks: BeatEnsemble = .standard) {
        seconds = Double(samples.count) / sampleRate
        let (envelope, rows) = ShortSound.circularEnvelope(samples, sampleRate: sampleRate)
        var looped = envelope.limited()
        looped.activity = BeatActivity(
            networks.run(rows, isLoop: true), of: networks, count: looped.count, isLoop: true)
        self.looped = looped
        self.rows = rows
        circular = PeriodicityProfile(loop: looped, seconds: seconds)
        onsets = OnsetCount(looped)
        windowed = PeriodicityProfile(windowsOf: looped)
    }

    /// The envelope of a sound that continues from its end at its start.
    static func circularEnvelope(_ samples: [Float], sampleRate: Double) -> (OnsetEnvelope, BeatRows) {
        let extractor = OnsetExtractor(
            sampleRate: sampleRate, peak: OnsetExtractor.peak(samples, sampleRate: sampleRate))
        let hop = sampleRate / OnsetEnvelope.rate
        // Whole hops before the start, so that a value falls on it.
        let hopsBefore = 4 * OnsetEnvelope.chromaStep
        let before = Int((Double(hopsBefore) * hop).rounded())
        let lead = (0..<before).map { samples[positive($0 - before, samples.count)] }
        let trail = (0..<extractor.blockSize).map { samples[$0 % samples.count] }
        extractor.add(lead)
        extractor.add(samples)
        extractor.add(trail)
        let count = max(1, Int((Double(samples.count) / hop).rounded()))
        var envelope = extractor.envelope
        envelope.bands = envelope.bands.map { Array($0.dropFirst(hopsBefore).prefix(count)) }
        envelope.power = Array(envelope.power.dropFirst(hopsBefore).prefix(count))
        envelope.total = Array(envelope.total.dropFirst(hopsBefore).prefix(count))
        let seconds = Double(samples.count) / sampleRate
        envelope.onsets = envelope.onsets.compactMap { onset in
            let time = onset.time - Double(before) / sampleRate
            // Just before the end is the start of the next cycle.
            guard time > -0.015, time < seconds - 0.015 else { return nil }
            return OnsetEnvelope.Onset(time: time, strength: onset.strength)
        }
        envelope.chroma = Array(envelope.chroma.dropFirst(4).prefix(count / OnsetEnvelope.chromaStep))
        let rowCount = max(1, Int((seconds * BeatRows.rate).rounded()))
        return (envelope, extractor.rows.slice(hopsBefore / 2, rowCount))
    }

    private static func positive(_ index: Int, _ count: Int) -> Int { (index % count + count) % count }
}
