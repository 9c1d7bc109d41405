import BarlineDSP
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineAnalysis

/// What a sound's length says of its tempo where nothing else does.
@Suite("Tempos of lengths")
struct LengthTempoTests {
    /// What nothing begins in but itself.
    enum Pad: String, CaseIterable, Sendable { case chord, wind }

    private func estimate(_ pad: Pad, seconds: Double) -> TempoEstimate {
        let rate = 44_100.0
        let count = Int((seconds * rate).rounded())
        var random = TestRandom(seed: 9)
        var smoothed = 0.0
        let samples = (0..<count).map { frame -> Float in
            let time = Double(frame) / rate
            let level = sin(.pi * Double(frame) / Double(count))
            switch pad {
            case .chord:
                return Float(0.1 * level * [1, 1.26, 1.5, 2].reduce(0) { $0 + sin(2 * .pi * 110 * $1 * time) })
            case .wind:
                smoothed += 0.05 * (random.amplitude() - smoothed)
                return Float((0.3 + level) * smoothed)
            }
        }
        return TempoAnalysis.estimate(SampleBuffer(left: samples, sampleRate: SampleRate(rate) ?? .standard))
    }

    @Test(
        "A pad of exactly four bars offers the tempo at which it is four bars", arguments: Pad.allCases,
        [84.0, 97, 120, 127, 140])
    func fourBars(pad: Pad, bpm: Double) {
        let estimate = estimate(pad, seconds: 16 * 60 / bpm)
        #expect(estimate.alternatives.contains { abs($0.bpm / bpm - 1) < 1e-5 }, "\(estimate)")
        let sum = estimate.alternatives.reduce(estimate.confidence) { $0 + $1.confidence }
        #expect(sum <= 1 + 1e-9 && estimate.alternatives.allSatisfy { $0.confidence > 0 })
        #expect(estimate.alternatives.map(\.confidence) == estimate.alternatives.map(\.confidence).sorted(by: >))
    }

    @Test("The tempo of whole bars is offered before that of fewer or more, at both edges of what is usual")
    func order() {
        let tempos = LengthTempos.tempos(ofSeconds: 8).map(\.bpm)
        #expect(tempos.first == 120)
        #expect(Set(tempos) == [60, 120, 240, 45, 90, 180])
        #expect(abs(LengthTempos.tempos(ofSeconds: 8).reduce(0) { $0 + $1.confidence } - 1) < 1e-12)
    }

    @Test("A length that is no number of beats at a whole number of BPM says nothing", arguments: [9.1234, 7.7771])
    func noLoop(seconds: Double) {
        #expect(LengthTempos.tempos(ofSeconds: seconds).isEmpty)
        #expect(estimate(.wind, seconds: seconds).alternatives.isEmpty)
    }

    @Test("Where a tempo is heard the length adds nothing, and silence has none")
    func others() {
        let loop = TempoAnalysis.estimate(DrumMachine.loop("bhnhbhnh", bpm: 120, bars: 4).buffer())
        #expect(loop.offeringLength(ofSeconds: 8) == loop)
        let silence = SampleBuffer(left: [Float](repeating: 0, count: 352_800), sampleRate: .standard)
        #expect(TempoAnalysis.estimate(silence).alternatives.isEmpty)
    }

    @Test("Frames that a buffer does not have are left out of an analysis")
    func framesBeyond() {
        let loop = DrumMachine.loop("bhnhbhnh", bpm: 120, bars: 4).buffer()
        let whole = TempoAnalysis.estimate(loop)
        for range in [0..<10_000_000, -100_000_000..<loop.frameCount, Int.min..<Int.max] {
            #expect(TempoAnalysis.estimate(loop, range: range) == whole)
        }
        #expect(TempoAnalysis.estimate(loop, range: 10_000_000..<20_000_000).bpm == nil)
    }
}
