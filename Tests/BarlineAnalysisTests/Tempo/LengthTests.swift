import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineAnalysis

/// Sounds of many hours.
@Suite("Tempo of long sounds")
struct LengthTests {
    /// The process's memory in bytes.
    private static var memory: Int {
        let fields = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096
    }

    @Test("Ten hours: the tempo to 0.1 %, the beats to the end, in some 10 kB a second")
    func tenHours() throws {
        let rate = 8000.0
        let bpm = 123.4
        // A whole number of bars a minute or so, that is repeated.
        let bars = 32
        let seconds = Double(bars) * 240 / bpm
        var machine = DrumMachine(seconds: seconds, rate: rate)
        for bar in 0..<bars { machine.play("bhnhbbnh", from: Double(bar) * 240 / bpm, step: 30 / bpm) }
        let repetitions = Int(36_000 / machine.seconds)
        let analyzer = TempoAnalyzer(sampleRate: try #require(SampleRate(rate)))
        let before = LengthTests.memory
        for _ in 0..<repetitions { analyzer.add(left: machine.samples, right: []) }
        let estimate = analyzer.finish()
        let grown = LengthTests.memory - before
        // The repetition's length is rounded to a frame.
        let truth = Double(4 * bars) * 60 / machine.seconds
        let found = try #require(estimate.bpm)
        #expect(abs(found / truth - 1) < 1e-3, "\(found)")
        let beats = Double(repetitions * bars * 4)
        #expect(abs(Double(estimate.beats.count) - beats) < 0.01 * beats)
        #expect(estimate.beats.last.map { $0 > Double(repetitions) * machine.seconds - 5 } ?? false)
        #expect(grown < 400_000_000, "\(grown) bytes")
    }
}
