import BarlineTime
import Testing

@testable import BarlineAnalysis

/// Sounds of many hours.
@Suite("Tempo of long sounds")
struct LengthTests {
    @Test("Four hours: the tempo to 0.1 %, and beats to the end")
    func fourHours() throws {
        let rate = 8000.0
        let bpm = 123.4
        // A whole number of bars a minute or so, that is repeated.
        let bars = 32
        let seconds = Double(bars) * 240 / bpm
        var machine = DrumMachine(seconds: seconds, rate: rate)
        for bar in 0..<bars { machine.play("bhnhbbnh", from: Double(bar) * 240 / bpm, step: 30 / bpm) }
        let repetitions = Int(14_400 / machine.seconds)
        let analyzer = TempoAnalyzer(sampleRate: try #require(SampleRate(rate)))
        for _ in 0..<repetitions { analyzer.add(left: machine.samples, right: []) }
        let estimate = analyzer.finish()
        // The repetition's length is rounded to a frame.
        let truth = Double(4 * bars) * 60 / machine.seconds
        let found = try #require(estimate.bpm)
        #expect(abs(found / truth - 1) < 1e-3, "\(found)")
        let beats = Double(repetitions * bars * 4)
        #expect(abs(Double(estimate.beats.count) - beats) < 0.01 * beats)
        #expect(estimate.beats.last.map { $0 > Double(repetitions) * machine.seconds - 5 } ?? false)
    }
}
