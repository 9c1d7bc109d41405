import BarlineDSP
import Foundation
import Testing

@testable import BarlineAnalysis

/// Songs: the beats are where they are heard.
@Suite("Tempo of songs")
struct SongTempoTests {
    /// A rock pattern over so many seconds, from `start` on.
    private func song(bpm: Double, seconds: Double, start: Double = 0.7, pattern: String = "bhnhbbnh") -> DrumMachine {
        var machine = DrumMachine(seconds: seconds)
        let bar = Double(pattern.count) / 2 * 60 / bpm
        var time = start
        while time < seconds {
            machine.play(pattern, from: time, step: 30 / bpm)
            time += bar
        }
        return machine
    }

    /// The share of true beats from 2 s on that a found one is near, and the median distance in seconds.
    private func compare(_ beats: [Double], _ truth: [Double]) -> (share: Double, median: Double) {
        let inner = truth.filter { $0 > 2 }
        let distances = inner.map { time in beats.map { abs($0 - time) }.min() ?? 1 }
        let near = distances.filter { $0 < 0.07 }.sorted()
        guard !near.isEmpty else { return (0, 1) }
        return (Double(near.count) / Double(inner.count), near[near.count / 2])
    }

    @Test("A steady tempo is found to 0.1 %, beats to milliseconds", arguments: [84.3, 119.0, 132.75])
    func steady(bpm: Double) throws {
        let estimate = TempoAnalysis.estimate(song(bpm: bpm, seconds: 75).buffer())
        let found = try #require(estimate.bpm)
        #expect(abs(found / bpm - 1) < 1e-3, "\(found)")
        #expect(estimate.loopBeats == nil)
        #expect(estimate.tempoCurve.isEmpty)
        let truth = stride(from: 0.7, to: 74.5, by: 60 / bpm).map { $0 }
        let (share, median) = compare(estimate.beats, truth)
        #expect(share > 0.97)
        #expect(median < 0.003, "\(median)")
        #expect(abs(Double(estimate.beats.count - truth.count)) <= 3)
    }

    @Test("Bars begin where the pattern does")
    func downbeats() throws {
        let estimate = TempoAnalysis.estimate(song(bpm: 110, seconds: 70).buffer())
        #expect(estimate.beatsPerBar == 4)
        let truth = stride(from: 0.7, to: 69, by: 4 * 60 / 110.0).map { $0 }
        let (share, _) = compare(estimate.downbeats, truth)
        #expect(share > 0.95)
    }

    @Test("Beats follow a tempo that rises by a tenth")
    func ramp() {
        // Beat k of a ramp that is linear in time is at the root of a quadratic.
        let (start, slope) = (100.0 / 60, 10.0 / 60 / 70)
        let truth = (0..<130).map { ((start * start + 2 * slope * Double($0)).squareRoot() - start) / slope + 0.5 }
        var machine = DrumMachine(seconds: 72)
        for (index, time) in truth.enumerated() where time < 71 {
            machine.play(index % 2 == 0 ? .kick : .snare, at: time)
            machine.play(.hat, at: time)
            if index + 1 < truth.count { machine.play(.hat, at: (time + truth[index + 1]) / 2) }
        }
        let estimate = TempoAnalysis.estimate(machine.buffer())
        let (share, median) = compare(estimate.beats, truth.filter { $0 < 70 })
        #expect(share > 0.93, "\(share)")
        #expect(median < 0.015, "\(median)")
        for time in stride(from: 5.0, through: 65, by: 1) {
            let expected = 60 * (start + slope * (time - 0.5))
            let found = TempoCurveTests.tempo(estimate.tempoCurve, at: time)
            #expect(abs(found / expected - 1) < 0.025, "\(found) for \(expected) at \(time) s")
        }
        #expect(estimate.tempoCurve.count < 12)
    }

    @Test("A sound handed over in small pieces has the same tempo as in one")
    func pieces() throws {
        let machine = song(bpm: 97, seconds: 65)
        let whole = TempoAnalysis.estimate(machine.buffer())
        let analyzer = TempoAnalyzer(sampleRate: machine.buffer().sampleRate)
        for start in stride(from: 0, to: machine.samples.count, by: 7777) {
            analyzer.add(left: Array(machine.samples[start..<min(start + 7777, machine.samples.count)]), right: [])
        }
        let pieces = analyzer.finish()
        #expect(abs((pieces.bpm ?? 0) / (try #require(whole.bpm)) - 1) < 1e-3)
        #expect(abs(pieces.beats.count - whole.beats.count) <= 1)
    }

    @Test("Channels that cancel each other out are heard all the same")
    func inverted() throws {
        let machine = song(bpm: 120, seconds: 20)
        let buffer = SampleBuffer(
            left: machine.samples, right: machine.samples.map { -$0 }, sampleRate: machine.buffer().sampleRate)
        let bpm = try #require(TempoAnalysis.estimate(buffer).bpm)
        #expect(abs(bpm / 120 - 1) < 0.002)
    }
}
