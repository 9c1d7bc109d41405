import BarlineDSP
import Foundation

/// A sound of at most a minute, prepared for the questions that are asked of it.
struct ShortSound {
    /// Seconds.
    let seconds: Double
    /// The onsets of the sound taken as a loop.
    let looped: OnsetEnvelope
    let circular: PeriodicityProfile
    /// The sound as it stands, from its first onset to where it falls silent.
    let windowed: PeriodicityProfile
    let onsets: OnsetCount

    /// Prepares mono samples.
    init(_ samples: [Float], sampleRate: Double) {
        seconds = Double(samples.count) / sampleRate
        looped = ShortSound.circularEnvelope(samples, sampleRate: sampleRate).limited()
        circular = PeriodicityProfile(loop: looped, seconds: seconds)
        onsets = OnsetCount(looped)
        windowed = PeriodicityProfile(windowsOf: looped)
    }

    /// The envelope of a sound that goes on from its end to its start.
    static func circularEnvelope(_ samples: [Float], sampleRate: Double) -> OnsetEnvelope {
        let extractor = OnsetExtractor(
            sampleRate: sampleRate, peak: OnsetExtractor.peak(samples, sampleRate: sampleRate))
        let hop = sampleRate / OnsetEnvelope.rate
        // Whole hops before the start, so that a value falls on it.
        let hopsBefore = 3 * OnsetEnvelope.chromaStep
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
            // Just before the end is the start of the next turn.
            guard time > -0.015, time < seconds - 0.015 else { return nil }
            return OnsetEnvelope.Onset(time: time, strength: onset.strength)
        }
        envelope.chroma = Array(envelope.chroma.dropFirst(3).prefix(count / OnsetEnvelope.chromaStep))
        return envelope
    }

    private static func positive(_ index: Int, _ count: Int) -> Int { (index % count + count) % count }
}
