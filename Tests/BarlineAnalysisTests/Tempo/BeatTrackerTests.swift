import Foundation
import Testing

@testable import BarlineAnalysis

/// Beats from what was heard, where that is laid down by hand.
@Suite("Following beats")
struct BeatTrackerTests {
    /// Follows pulses at `times`, in seconds.
    private func follow(_ times: [Double], bpm: Double) -> [Double] {
        let count = Int((times.last ?? 0) * OnsetEnvelope.rate) + 100
        var pulses = [Float](repeating: 0, count: count)
        for time in times {
            let index = Int((time * OnsetEnvelope.rate).rounded())
            pulses[index] = 0.9
            for neighbour in [index - 1, index + 1] { pulses[neighbour] = 0.4 }
        }
        var envelope = OnsetEnvelope()
        envelope.bands = OnsetBand.allCases.map { _ in pulses.map { $0 / Float(OnsetBand.allCases.count) } }
        envelope.power = pulses
        envelope.total = pulses
        envelope.onsets = times.map { OnsetEnvelope.Onset(time: $0, strength: 1) }
        envelope.activity = BeatActivity(beats: pulses, downbeats: pulses.map { _ in 0 }, tempoLevels: [])
        return BeatTracker(envelope, bpm: bpm).track().beats
    }

    /// The share of `times` that have one of `beats` within 20 ms.
    private func share(of times: [Double], in beats: [Double]) -> Double {
        let met = times.filter { time in beats.contains { abs($0 - time) < 0.02 } }
        return Double(met.count) / Double(times.count)
    }

    @Test("Beats that jump by half a beat for a third of a song were lost there, and stay even")
    func jump() {
        let truth = (0..<220).map { 0.5 + 0.5 * Double($0) }
        let beats = follow(truth.enumerated().map { $1 + ((80..<150).contains($0) ? 0.25 : 0) }, bpm: 120)
        #expect(share(of: truth, in: beats) > 0.99)
        #expect(share(of: beats, in: truth + [truth[219] + 0.5]) > 0.99)
    }

    @Test("Beats that slow down are played so, and are followed", arguments: [0.03, 0.15])
    func slowing(change: Double) {
        let truth = (0..<200).map { 0.5 + 0.5 * Double($0) * (1 + change * Double($0) / 400) }
        let beats = follow(truth, bpm: 120 / (1 + change / 2))
        #expect(share(of: truth, in: beats) > 0.97)
    }
}
