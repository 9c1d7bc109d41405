import Foundation
import Testing

@testable import BarlineAnalysis

/// What is said of an answer is how often such answers are right.
@Suite("Calibration")
struct CalibrationTests {
    private let estimate = TempoEstimate(
        bpm: 120, confidence: 0.8, beats: [], downbeats: [], beatsPerBar: 4, loopBeats: nil,
        alternatives: [.init(bpm: 60, confidence: 0.15), .init(bpm: 240, confidence: 0.05)], source: .audio,
        absence: nil)

    @Test("The odds are those of the line", arguments: [0.05, 0.3, 0.5, 0.8, 0.99])
    func odds(probability: Double) {
        let share = Calibration(slope: 0.5, offset: log(2)).share(probability)
        // Half the log odds and log 2 more: the odds' root, doubled.
        let odds = 2 * (probability / (1 - probability)).squareRoot()
        #expect(abs(share - odds / (1 + odds)) < 1e-12)
        #expect(abs(Calibration.none.share(probability) - probability) < 1e-12)
    }

    @Test("Alternatives share what is left as they did, and nothing exceeds certainty")
    func alternatives() {
        let changed = estimate.calibrated(by: Calibration(slope: 0.5, offset: 0))
        // The root of odds of four.
        #expect(abs(changed.confidence - 2.0 / 3) < 1e-12)
        #expect(abs(changed.alternatives[0].confidence - 0.25) < 1e-12)
        #expect(abs(changed.alternatives[1].confidence - 1.0 / 12) < 1e-12)
        for certain in [0.0, 1] {
            #expect((0...1).contains(Calibration(slope: 3, offset: 5).share(certain)))
        }
    }
}
