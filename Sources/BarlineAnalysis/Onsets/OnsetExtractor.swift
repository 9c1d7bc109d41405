import Foundation

/// Computes an onset envelope of a mono signal that is handed over piece by piece.
///
/// The rise of a logarithmic spectrum from two frames before, whose neighbouring bands are maximised so that vibrato
/// does not count as a rise: SuperFlux (Böck & Widmer 2013). What lies 55 dB below the loudest is taken as silence, so
/// that the result does not depend on the gain.
final class OnsetExtractor {
    private(set) var envelope = OnsetEnvelope()
    /// What the beat network sees.
    private(set) var rows = BeatRows()

    private let sampleRate: Double
    private let spectrum: PowerSpectrum
    private let bank: FilterBank
    private let beatBands: BeatBands
    private let locator: OnsetLocator
    private var pending: [Float] = []
    /// The frame of the signal at which `pending` begins.
    private var pendingStart = 0
    private var frameIndex = 0
    private var peak: Float
    private var highest: Float = 0
    private var powers: [Float]
    private var levels: [[Float]]
    private var bandPowers = [Float](repeating: 0, count: BeatBands.count)
    private var chroma = SIMD16<Float>()

    private static let lag = 2
    /// Values on both sides that a peak must exceed.
    private static let reach = 5
    private static let floor: Float = 3e-6

    /// Creates an extractor.
    ///
    /// - Parameters:
    ///   - sampleRate: in hertz.
    ///   - peak: the greatest power that is known to come.
    init(sampleRate: Double, peak: Float) {
        self.sampleRate = sampleRate
        var size = 256
        while Double(size) * 1.5 < 0.046 * sampleRate { size *= 2 }
        spectrum = PowerSpectrum(size: size)
        bank = FilterBank(size: size, sampleRate: sampleRate)
        beatBands = BeatBands(size: size, sampleRate: sampleRate)
        locator = OnsetLocator(sampleRate: sampleRate)
        powers = Array(repeating: 0, count: spectrum.binCount)
        levels = Array(repeating: Array(repeating: 0, count: bank.count), count: OnsetExtractor.lag + 1)
        self.peak = max(peak, 1e-12)
        // The first value is centred on the first sample.
        pending = Array(repeating: 0, count: size / 2)
        pendingStart = -size / 2
    }

    /// Samples in a block.
    var blockSize: Int { spectrum.size }

    /// Takes out what the beat network has not seen yet.
    func takeRows() -> BeatRows { rows.takeAll() }

    /// Takes in samples.
    func add(_ samples: some Collection<Float>) {
        pending.append(contentsOf: samples)
        while true {
            let start = Int((Double(frameIndex) * sampleRate / OnsetEnvelope.rate).rounded()) - spectrum.size / 2
            let offset = start - pendingStart
            if offset + spectrum.size > pending.count { break }
            pending.withUnsafeBufferPointer { buffer in
                if let base = buffer.baseAddress { analyze(base + offset) }
            }
            locateOnset()
            frameIndex += 1
            let spent = offset - Int(0.2 * sampleRate)
            if spent > 1 << 16 {
                pending.removeFirst(spent)
                pendingStart += spent
            }
        }
    }

    /// Ends the signal with silence, so that every sample has been in the middle of a block.
    func finish() { add(repeatElement(0, count: spectrum.size / 2)) }

    /// Locates an onset half a tenth of a second ago, where the envelope peaks there.
    private func locateOnset() {
        let reach = OnsetExtractor.reach
        let index = frameIndex - reach
        guard index >= 0, envelope.total[index] > 0.03 * highest else { return }
        for other in max(0, index - reach)...frameIndex {
            let value = envelope.total[other]
            if value > envelope.total[index] || (value == envelope.total[index] && other < index) { return }
        }
        let middle = Double(index) / OnsetEnvelope.rate * sampleRate
        let start = max(pendingStart, Int(middle - OnsetLocator.before * sampleRate))
        let end = min(pendingStart + pending.count, Int(middle + OnsetLocator.after * sampleRate))
        guard end > start else { return }
        let offset = pending.withUnsafeBufferPointer { buffer in
            locator.locate(UnsafeBufferPointer(rebasing: buffer[start - pendingStart..<end - pendingStart]))
        }
        envelope.onsets.append(
            OnsetEnvelope.Onset(time: (Double(start) + offset) / sampleRate, strength: envelope.total[index]))
    }

    private func analyze(_ samples: UnsafePointer<Float>) {
        powers.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { spectrum.measure(samples, into: base) }
        }
        let slot = frameIndex % (OnsetExtractor.lag + 1)
        let earlier = (frameIndex + 1) % (OnsetExtractor.lag + 1)
        var sum: Float = 0
        let floor = peak * OnsetExtractor.floor
        var row = levels[slot]
        levels[slot] = []
        var classes = SIMD16<Float>()
        powers.withUnsafeBufferPointer { powers in
            for index in 0..<bank.count {
                var power: Float = 0
                for bin in bank.edges[index]..<bank.edges[index + 1] { power += powers[bin] }
                sum += power
                let level = log10(1 + power / floor)
                row[index] = level
                if let pitchClass = bank.pitchClasses[index] { classes[pitchClass] += level }
            }
        }
        levels[slot] = row
        chroma += classes
        powers.withUnsafeBufferPointer { beatBands.sum($0, into: &bandPowers) }
        rows.add(bandPowers, floor: floor, chroma: classes)
        peak = max(peak, sum)
        var rises = SIMD4<Float>()
        if frameIndex >= OnsetExtractor.lag {
            let before = levels[earlier]
            let now = levels[slot]
            for index in 0..<bank.count {
                var reference = before[index]
                if index > 0 { reference = max(reference, before[index - 1]) }
                if index + 1 < bank.count { reference = max(reference, before[index + 1]) }
                rises[bank.bands[index].rawValue] += max(0, now[index] - reference)
            }
        }
        for band in 0..<4 { envelope.bands[band].append(rises[band]) }
        envelope.power.append(sum / peak)
        envelope.total.append(rises.sum())
        highest = max(highest, rises.sum())
        if envelope.power.count % OnsetEnvelope.chromaStep == 0 {
            envelope.chroma.append(chroma)
            chroma = SIMD16()
        }
    }

    /// The greatest power in 46 ms, as an extractor counts it.
    static func peak(_ samples: [Float], sampleRate: Double) -> Float {
        let length = max(1, Int(0.046 * sampleRate))
        var highest: Float = 0
        for start in stride(from: 0, to: samples.count, by: length) {
            var sum: Float = 0
            let end = min(start + length, samples.count)
            for index in start..<end { sum += samples[index] * samples[index] }
            highest = max(highest, 0.75 * sum / Float(end - start))
        }
        return highest
    }
}
