import BarlineDSP
import Testing

@testable import BarlineAnalysis

/// Metres other than four to the bar, and drums that hint at another tempo.
@Suite("Metres and feels")
struct MetreTests {
    /// The share by which two tempos differ.
    private func error(_ found: Double?, _ truth: Double) -> Double { found.map { abs($0 / truth - 1) } ?? 1 }

    /// Whether a tempo is the answer or one of its alternatives.
    private func offers(_ estimate: TempoEstimate, _ bpm: Double) -> Bool {
        ([estimate.bpm] + estimate.alternatives.map(\.bpm)).contains { error($0, bpm) < 1e-3 }
    }

    @Test("Five beats to the bar: the length is a multiple of five", arguments: [(2, 118.0), (4, 132.5)])
    func five(bars: Int, bpm: Double) {
        let estimate = TempoAnalysis.estimate(DrumMachine.loop("bhhhnhbhnh", bpm: bpm, bars: bars).buffer())
        #expect(error(estimate.bpm, bpm) < 1e-4, "\(estimate.bpm ?? 0)")
        #expect(estimate.loopBeats == Double(5 * bars))
    }

    @Test("Seven eighths to the bar: the length has half a beat", arguments: [(1, 126.0), (3, 112.0)])
    func sevenEighths(bars: Int, bpm: Double) {
        let estimate = TempoAnalysis.estimate(DrumMachine.loop("bhnhbnh", bpm: bpm, bars: bars).buffer())
        #expect(offers(estimate, bpm), "\(estimate)")
    }

    @Test("Half-time drums: the tempo or its half, and the other among the alternatives", arguments: [140.0, 152.3])
    func halfTime(bpm: Double) {
        let estimate = TempoAnalysis.estimate(DrumMachine.loop("bhhhnhhh", bpm: bpm, bars: 4).buffer())
        #expect(offers(estimate, bpm) && offers(estimate, bpm / 2))
        #expect(min(error(estimate.bpm, bpm), error(estimate.bpm, bpm / 2)) < 1e-4)
    }

    @Test("Hi-hats between the beats are not the beats", arguments: [122.0, 128.0])
    func offbeat(bpm: Double) {
        let estimate = TempoAnalysis.estimate(DrumMachine.loop("khkhkhkh", bpm: bpm, bars: 4).buffer())
        #expect(error(estimate.bpm, bpm) < 1e-4)
        #expect(estimate.beats.first.map { $0 < 0.01 } ?? false, "the first kick is on the first beat")
    }

    @Test("Swing changes the tempo by nothing", arguments: [0.2, 0.33, 0.4])
    func swing(amount: Double) {
        let estimate = TempoAnalysis.estimate(DrumMachine.loop("bhnhbhnh", bpm: 104, bars: 4, swing: amount).buffer())
        #expect(error(estimate.bpm, 104) < 1e-4)
        #expect(estimate.loopBeats == 16)
    }

    @Test("A pick-up before the first bar moves no beat", arguments: [1, 2])
    func pickUp(beats: Int) {
        let bpm = 96.0
        let lead = Double(beats) * 60 / bpm
        var machine = DrumMachine(seconds: lead + 24 * 60 / bpm)
        machine.play(String(repeating: "-n", count: beats), from: 0, step: 30 / bpm)
        for bar in 0..<6 { machine.play("bhnhbhnh", from: lead + Double(bar) * 240 / bpm, step: 30 / bpm) }
        let estimate = TempoAnalysis.estimate(machine.buffer())
        #expect(error(estimate.bpm, bpm) < 1e-3)
        let distance = estimate.beats.map { abs($0 - lead) }.min() ?? 1
        #expect(distance < 0.01, "\(distance)")
    }
}
