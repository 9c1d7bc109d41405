import Foundation
import Testing

/// What the filter does to a tone, against the closed form of the analogue circuit that it stands for.
@Suite("Filter response")
struct FilterResponseTests {
    /// The analogue prototype of second order at jω, for a cutoff of 1.
    private func prototype(_ omega: Double, quality: Double, _ mode: FilterMode) -> Double {
        let real = 1 - omega * omega
        let imaginary = omega / quality
        let denominator = (real * real + imaginary * imaginary).squareRoot()
        return switch mode {
        case .lowpass: 1 / denominator
        case .highpass: omega * omega / denominator
        case .bandpass: omega / quality / denominator
        case .notch: abs(real) / denominator
        }
    }

    /// The magnitude of the transform of `samples` at `frequency`.
    private func magnitude(_ samples: [Float], at frequency: Double, rate: Double) -> Double {
        let (stepReal, stepImaginary) = (cos(2 * .pi * frequency / rate), -sin(2 * .pi * frequency / rate))
        var (real, imaginary, sumReal, sumImaginary) = (1.0, 0.0, 0.0, 0.0)
        for sample in samples {
            sumReal += Double(sample) * real
            sumImaginary += Double(sample) * imaginary
            (real, imaginary) = (
                real * stepReal - imaginary * stepImaginary, real * stepImaginary + imaginary * stepReal
            )
        }
        return (sumReal * sumReal + sumImaginary * sumImaginary).squareRoot()
    }

    @Test("Is that of the analogue prototype, warped by the bilinear transform", arguments: FilterMode.allCases)
    func response(mode: FilterMode) {
        for rate in [44_100.0, 96_000] {
            for cutoff in [20.0, 150, 1_000, 7_000, 20_000] {
                for quality in [0.5, 0.707, 4, 20] {
                    let bench = FilterBench(cutoff: cutoff, resonance: quality, mode: mode, rate: rate)
                    // Long enough for it to ring down by 140 dB.
                    let length = ringFrames(cutoff: cutoff, resonance: quality, rate: rate, nepers: 16) + 256
                    let impulse = bench.filtered([1] + [Float](repeating: 0, count: length))
                    for frequency in [5, 20, 60, 150, 149, 400, 1_000, 1_010, 3_000, 7_000, 12_000, 20_000] {
                        let omega = tan(.pi * Double(frequency) / rate) / tan(.pi * cutoff / rate)
                        let expected = prototype(omega, quality: quality, mode)
                        let found = magnitude(impulse, at: Double(frequency), rate: rate)
                        #expect(
                            abs(found - expected) < 2e-4 * max(expected, 1),
                            "\(mode) \(cutoff) Hz, quality \(quality), at \(frequency) Hz of \(rate)")
                    }
                }
            }
        }
    }

    @Test("A cutoff that the sample rate has no room for is just below half of it")
    func lowRate() {
        let bench = FilterBench(cutoff: 20_000, resonance: 0.707, mode: .lowpass, rate: 8_000)
        let impulse = bench.filtered([1] + [Float](repeating: 0, count: 400))
        for frequency in [50.0, 1_000, 3_000] {
            let omega = tan(.pi * frequency / 8_000) / tan(.pi * 0.49)
            let expected = prototype(omega, quality: 0.707, .lowpass)
            #expect(abs(magnitude(impulse, at: frequency, rate: 8_000) - expected) < 1e-4)
        }
    }
}
