import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineAnalysis

@Suite("Linear prediction")
struct LinearPredictionTests {
    @Test("What decaying sines go on as is said, and what begins among them is not")
    func sines() {
        let sines = [(55.0, 0.5, 4_000.0), (110, 0.3, 9_000), (1_234, 0.2, 2_000)]
        var samples = (0..<4_000).map { frame in
            sines.reduce(0) { $0 + $1.1 * exp(-Double(frame) / $1.2) * sin(2 * .pi * $1.0 * Double(frame) / 48_000) }
        }
        samples[3_000] += 1e-3
        let prediction = LinearPrediction(samples[0..<1_920])
        let before = (1_920..<3_000).map { prediction.error(at: $0, in: samples[...]) }.max() ?? 1
        #expect(before < 2e-5, "\(before)")
        #expect(abs(prediction.error(at: 3_000, in: samples[...]) - 1e-3) < 1e-4)
    }

    @Test("The weights of a process of the second order are found from its samples")
    func process() {
        var noise = TestRandom(seed: 8)
        var samples = [0.0, 0.0]
        for _ in 0..<40_000 {
            let (last, former) = (samples[samples.count - 1], samples[samples.count - 2])
            samples.append(1.6 * last - 0.9 * former + Double.random(in: -1...1, using: &noise))
        }
        let prediction = LinearPrediction(samples[...])
        // What can't be said is the noise, of which the mean square is a third.
        let errors = (1_000..<40_000).map { prediction.error(at: $0, in: samples[...]) }
        let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        #expect(abs(power - 1.0 / 3) < 0.01, "\(power)")
    }

    @Test("Silence says silence")
    func silence() {
        let samples = [Double](repeating: 0, count: 400)
        #expect(LinearPrediction(samples[...]).error(at: 399, in: samples[...]) == 0)
    }
}
