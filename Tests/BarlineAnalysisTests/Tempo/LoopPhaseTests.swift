import BarlineDSP
import Foundation
import Testing

@testable import BarlineAnalysis

/// Sounds whose length is a whole number of beats, of which none need be on the first frame.
@Suite("The first beat of loops")
struct LoopPhaseTests {
    /// A song cut from `start` on: its tempo, and a bar's eighths.
    struct Cut: Sendable {
        let pattern: String
        let bpm: Double
        let start: Double
        var seconds = 30.0
    }

    /// Beats of a grid from `first` on that are within `seconds`.
    private func grid(bpm: Double, first: Double, seconds: Double, every count: Double = 1) -> [Double] {
        let period = count * 60 / bpm
        return Array(stride(from: first - (first / period).rounded(.down) * period, to: seconds - 0.005, by: period))
    }

    private func expect(_ found: [Double], _ truth: [Double], _ comment: Comment) {
        #expect(found.count == truth.count, comment)
        for (beat, expected) in zip(found, truth) { #expect(abs(beat - expected) < 0.02, comment) }
    }

    @Test(
        "Thirty seconds of a song are beats wherever they were cut",
        arguments: [
            Cut(pattern: "bhnhbbnh", bpm: 120, start: 5.17), Cut(pattern: "bhnhbhnh", bpm: 128, start: 3.31),
            Cut(pattern: "k-s-k-s-", bpm: 96, start: 4.4), Cut(pattern: "bhnhhbnh", bpm: 104, start: 6.8),
            Cut(pattern: "bhnhbbnh", bpm: 134, start: 2.1, seconds: 60),
            Cut(pattern: "bhnhbhnh", bpm: 100, start: 3.85, seconds: 12),
        ])
    func preview(cut: Cut) throws {
        // Whole bars, so that the pattern goes on where the sound begins anew.
        let song = DrumMachine.loop(cut.pattern, bpm: cut.bpm, bars: 40)
        let estimate = TempoAnalysis.estimate(song.cut(from: cut.start, seconds: cut.seconds).buffer())
        let bpm = try #require(estimate.bpm)
        #expect(abs(bpm / cut.bpm - 1) < 1e-3, "\(bpm)")
        expect(
            estimate.beats, grid(bpm: cut.bpm, first: -cut.start, seconds: cut.seconds),
            "\(cut): \(estimate.beats.prefix(3))")
    }

    @Test(
        "A loop that is cut off the beat is a loop of as many beats, and begins where its first one is",
        arguments: [("bhnhbbnh", 126.0, 4, 0.3), ("bhnhbhnh", 93, 4, 0.71), ("k-s-k-s-", 118, 2, 0.37)], [0.0, 1, 3])
    func rotated(loop: (pattern: String, bpm: Double, bars: Int, part: Double), whole: Double) throws {
        let machine = DrumMachine.loop(loop.pattern, bpm: loop.bpm, bars: loop.bars)
        let late = (whole + loop.part) * 60 / loop.bpm
        let estimate = TempoAnalysis.estimate(machine.cut(from: late, seconds: machine.seconds).buffer())
        #expect(abs((estimate.bpm ?? 0) / loop.bpm - 1) < 1e-4)
        #expect(estimate.loopBeats == Double(4 * loop.bars))
        expect(
            estimate.beats, grid(bpm: loop.bpm, first: -late, seconds: machine.seconds),
            "\(loop), \(whole): \(estimate.beats.prefix(3))")
        #expect(estimate.loopOffset == estimate.downbeats.first)
    }

    @Test(
        "A loop that is cut on its beat stays on it, whatever its length and however its beats are spread",
        arguments: [
            Cut(pattern: "bhnhbhnh", bpm: 128, start: 0), Cut(pattern: "bhnhbbnh", bpm: 120, start: 0),
            Cut(pattern: "bhnhbhnh", bpm: 64, start: 0), Cut(pattern: "h-n-h-n-", bpm: 110, start: 0, seconds: 0),
        ])
    func onBeat(cut: Cut) {
        let loop = DrumMachine.loop(cut.pattern, bpm: cut.bpm, bars: 8)
        let machine = cut.seconds > 0 ? loop.cut(from: 0, seconds: cut.seconds) : loop
        let estimate = TempoAnalysis.estimate(machine.buffer())
        #expect(estimate.beats.first == 0, "\(cut)")
        #expect(estimate.loopOffset == nil)
    }

    @Test("A coder's delay of some milliseconds is no other phase")
    func delay() {
        let loop = DrumMachine.loop("bhnhbbnh", bpm: 122, bars: 4)
        for late in [0.008, loop.seconds - 0.008] {
            #expect(
                TempoAnalysis.estimate(loop.cut(from: late, seconds: loop.seconds).buffer()).beats.first == 0, "\(late)"
            )
        }
    }
}
