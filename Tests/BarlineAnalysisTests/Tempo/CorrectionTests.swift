import Testing

@testable import BarlineAnalysis

/// Corrections: values from values, and the way back.
@Suite("Corrections of a tempo")
struct CorrectionTests {
    /// Eight beats at 120 BPM, two bars.
    private let computed = TempoEstimate(
        bpm: 120, confidence: 0.6, beats: (0..<8).map { Double($0) / 2 }, downbeats: [0, 2], beatsPerBar: 4,
        loopBeats: 8, alternatives: [], source: .audio, absence: nil)

    private func corrected(_ corrections: TempoCorrection...) -> TempoEstimate {
        corrections.reduce(computed) { $0.corrected(by: $1, duration: 4) }
    }

    private func expect(_ times: [Double], _ truth: [Double]) {
        #expect(times.count == truth.count)
        for (time, other) in zip(times, truth) { #expect(abs(time - other) < 1e-9, "\(times)") }
    }

    @Test("Twice, half, three halves and two thirds")
    func ratios() {
        #expect(corrected(.double).bpm == 240 && corrected(.double).loopBeats == 16)
        expect(corrected(.double).beats, (0..<16).map { Double($0) / 4 })
        #expect(corrected(.halve).bpm == 60 && corrected(.halve).loopBeats == 4)
        expect(corrected(.halve).beats, [0, 1, 2, 3])
        #expect(corrected(.threeHalves).bpm == 180 && corrected(.threeHalves).loopBeats == 12)
        expect(corrected(.threeHalves).beats, (0..<12).map { Double($0) / 3 })
        #expect(corrected(.twoThirds).bpm == 80)
        expect(corrected(.halve).downbeats, [0])
    }

    @Test("Twice and half give what was there")
    func roundTrip() {
        let back = corrected(.double, .halve)
        #expect(back.bpm == 120 && back.loopBeats == 8)
        expect(back.beats, computed.beats)
        expect(back.downbeats, computed.downbeats)
    }

    @Test("A number of beats gives the tempo from the length")
    func beats() {
        let estimate = corrected(.beats(6))
        #expect(estimate.bpm == 90 && estimate.loopBeats == 6 && estimate.source == .correction)
        #expect(estimate.confidence == 1)
        expect(estimate.beats, (0..<6).map { Double($0) * 60 / 90 })
    }

    @Test("Taps give the line that is nearest to them")
    func taps() throws {
        let estimate = corrected(.taps([0.1, 0.7, 1.3, 1.9]))
        #expect(abs((estimate.bpm ?? 0) - 100) < 1e-9)
        #expect(abs((estimate.beats.first ?? 1) - 0.1) < 1e-9)
        #expect(corrected(.taps([1])) == computed)
    }

    @Test("The grid moves, and the bars on it")
    func shifts() {
        expect(corrected(.shift(seconds: 0.01)).beats, computed.beats.map { $0 + 0.01 })
        expect(corrected(.moveDownbeat(beats: 1)).downbeats, [0.5, 2.5])
        expect(corrected(.moveDownbeat(beats: -1)).downbeats, [1.5, 3.5])
        expect(corrected(.bar(beats: 3)).downbeats, [0, 1.5, 3])
    }

    @Test("A correction that no sound can have changes nothing")
    func impossible() {
        for count in [0, -1, Double.nan, .infinity, 1e300] { #expect(corrected(.beats(count)) == computed) }
        for duration in [Double.nan, .infinity, -.infinity, 1e300, 0] {
            #expect(computed.corrected(by: .beats(4), duration: duration) == computed)
        }
        for duration in [Double.nan, .infinity, 1e300] {
            #expect(computed.corrected(by: .taps([0, 0.5, 1]), duration: duration) == computed)
        }
        for seconds in [Double.nan, .infinity] { #expect(corrected(.shift(seconds: seconds)) == computed) }
        // A whole number of bars, and one beat more or less.
        expect(corrected(.moveDownbeat(beats: .max)).downbeats, [1.5, 3.5])
        expect(corrected(.moveDownbeat(beats: .min)).downbeats, [0, 2])
    }
}
