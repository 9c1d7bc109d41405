import BarlineTime
import CKernels
import Foundation

/// The highest magnitude of one channel on and between its samples, by ITU-R BS.1770: at four times the rate below 96
/// kHz, at twice below 192 kHz, on the samples alone from there on.
///
/// The values between are those of a sinc under a Hann window, 49 places of the higher rate long, as libebur128 has it;
/// what it measures is the same to 0.01 dB.
struct TruePeakMeter {
    /// The highest magnitude so far.
    private(set) var peak: Float = 0
    private let phases: Int
    private let taps: Int
    /// A row of weights for each place between two samples, those of the newest sample last.
    private let weights: [Float]
    /// The samples before those that come next, and room for these.
    private var recent: [Float]

    /// The window's places.
    private static let places = 49
    /// Samples that are taken in at a time.
    private static let piece = 2_048

    /// A meter that has heard nothing.
    init(sampleRate: SampleRate) {
        let factor = sampleRate.hertz < 96_000 ? 4 : sampleRate.hertz < 192_000 ? 2 : 1
        let taps = (TruePeakMeter.places - 1) / factor
        phases = factor - 1
        self.taps = taps
        weights = (1..<max(2, factor)).flatMap { phase in
            (0..<taps).map { tap in
                Float(TruePeakMeter.weight(phase + factor * (taps - 1 - tap), factor: factor))
            }
        }
        recent = Array(repeating: 0, count: taps - 1 + TruePeakMeter.piece)
    }

    private static func weight(_ place: Int, factor: Int) -> Double {
        let window = 0.5 * (1 - cos(2 * .pi * Double(place) / Double(places - 1)))
        let angle = Double(place - (places - 1) / 2) * .pi / Double(factor)
        return window * (angle == 0 ? 1 : sin(angle) / angle)
    }

    /// Takes in `frames` samples.
    mutating func add(_ samples: UnsafePointer<Float>, frames: Int) {
        if frames <= 0 { return }
        peak = max(peak, dsp_measure(samples, frames).peak)
        if phases == 0 { return }
        let (phases, taps) = (phases, taps)
        var high: Float = 0
        recent.withUnsafeMutableBufferPointer { recent in
            guard let before = recent.baseAddress else { return }
            let new = before + (taps - 1)
            for start in stride(from: 0, to: frames, by: TruePeakMeter.piece) {
                let count = min(TruePeakMeter.piece, frames - start)
                dsp_copy(samples + start, new, count)
                high = max(high, dsp_peak_between(new, weights, phases, taps, count))
                dsp_copy(before + count, before, taps - 1)
            }
        }
        peak = max(peak, high)
    }
}
