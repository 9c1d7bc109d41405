import Foundation
import Testing

@testable import BarlineAnalysis

/// The tempo's course follows from the beats.
@Suite("Tempo curve")
struct TempoCurveTests {
    /// The curve's value at a time.
    static func tempo(_ curve: [TempoPoint], at time: Double) -> Double {
        guard let after = curve.firstIndex(where: { $0.time > time }), after > 0 else {
            return (curve.first.map { time < $0.time } ?? false ? curve.first?.bpm : curve.last?.bpm) ?? .nan
        }
        let (left, right) = (curve[after - 1], curve[after])
        return left.bpm + (right.bpm - left.bpm) * (time - left.time) / (right.time - left.time)
    }

    private func estimate(_ beats: [Double], loopBeats: Double? = nil) -> TempoEstimate {
        TempoEstimate(
            bpm: 120, confidence: 1, beats: beats, downbeats: [], beatsPerBar: 4, loopBeats: loopBeats,
            alternatives: [], source: .audio, absence: nil)
    }

    /// Beats of a tempo that rises from `first` to `last` BPM in a straight line over so many seconds.
    private func ramp(_ first: Double, _ last: Double, seconds: Double) -> [Double] {
        let slope = (last - first) / 60 / seconds
        let start = first / 60
        let count = Int(seconds * (first + last) / 120)
        return (0..<count).map { ((start * start + 2 * slope * Double($0)).squareRoot() - start) / slope }
    }

    @Test("Even beats have none, however many")
    func even() {
        #expect(estimate((0..<400).map { 0.3 + Double($0) * 0.471 }).tempoCurve.isEmpty)
        #expect(estimate([]).tempoCurve.isEmpty)
        #expect(estimate([0.1, 0.6, 1.2]).tempoCurve.isEmpty)
        // A bar of 7/8 ends with half a beat.
        let odd = (0..<8).flatMap { bar -> [Double] in (0..<4).map { Double(bar) * 1.75 + Double($0) * 0.5 } }
        #expect(estimate(odd, loopBeats: 28).tempoCurve.isEmpty)
    }

    @Test("A ramp is within 1.5 %, in few points", arguments: [(90.0, 140.0), (160.0, 100.0)])
    func ramps(first: Double, last: Double) {
        let curve = estimate(ramp(first, last, seconds: 60)).tempoCurve
        // The first and the last beats have others on one side only.
        for time in stride(from: 3.0, through: 57, by: 0.5) {
            let expected = first + (last - first) * time / 60
            let found = TempoCurveTests.tempo(curve, at: time)
            #expect(abs(found / expected - 1) < 0.015, "\(found) for \(expected) at \(time) s")
        }
        #expect(curve.count <= 6, "\(curve.count) points")
    }

    @Test("A jump is where it is, to within four beats")
    func jump() {
        let slow: [Double] = (0..<40).map { Double($0) * 0.5 }
        let fast: [Double] = (1..<60).map { 19.5 + Double($0) * 0.4 }
        let curve = estimate(slow + fast).tempoCurve
        for (time, expected) in [(0.0, 120.0), (10, 120), (17, 120), (22, 150), (30, 150), (40, 150)] {
            let found = TempoCurveTests.tempo(curve, at: time)
            #expect(abs(found / expected - 1) < 0.012, "\(found) at \(time) s")
        }
        #expect((4...8).contains(curve.count), "\(curve.count) points")
    }

    @Test("A beat that was not heard is no change of tempo")
    func gaps() {
        let beats = (0..<100).filter { $0 % 9 != 4 }.map { Double($0) * 0.5 }
        #expect(estimate(beats).tempoCurve.isEmpty)
    }

    @Test("Corrections take it along")
    func corrected() {
        let curve = estimate(ramp(80, 100, seconds: 60)).corrected(by: .double, duration: 60).tempoCurve
        #expect(abs(TempoCurveTests.tempo(curve, at: 30) / 180 - 1) < 0.03)
    }
}
