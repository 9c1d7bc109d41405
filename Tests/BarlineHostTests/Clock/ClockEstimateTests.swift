import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineHost

/// What is known of a clock whose ticks come late and unevenly, beside the clock that sent them.
@Suite("Estimate of a MIDI clock")
struct ClockEstimateTests {
    /// How ticks come: what cables and queues add, in seconds.
    enum Cable: String, CaseIterable, Sendable {
        /// Up to 1 ms early or late.
        case even
        /// In slots of 1 ms, as those of USB.
        case slots
        /// In slots, and one of twenty up to 8 ms late.
        case spikes

        func arrival(of time: Double, _ random: inout TestRandom) -> Double {
            let slot = (time * 1_000).rounded(.up) / 1_000
            switch self {
            case .even: return time + 1e-3 * random.amplitude()
            case .slots: return slot
            case .spikes: return random.amplitude() > 0.9 ? slot + 4e-3 * (1 + random.amplitude()) : slot
            }
        }
    }

    private struct Reading {
        let time: Double
        let bpm: Double
        /// In seconds; above 0 if the tick is thought later than it was.
        let error: Double
    }

    /// What is estimated after each tick of a clock, whose tempo is a function of the time.
    private func readings(
        _ cable: Cable, seed: UInt64, seconds: Double, _ tempo: (Double) -> Double
    ) -> (readings: [Reading], estimate: ClockEstimate, ticks: Int64) {
        var random = TestRandom(seed: seed)
        var estimate = ClockEstimate()
        var readings: [Reading] = []
        var (time, ticks) = (0.0, Int64(-1))
        while time < seconds {
            estimate.add(cable.arrival(of: time, &random))
            ticks += 1
            readings.append(Reading(time: time, bpm: estimate.beatsPerMinute, error: estimate.time - time))
            time += 60 / (24 * tempo(time))
        }
        return (readings, estimate, ticks)
    }

    private func deviation(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
    }

    @Test(
        "After a second of a steady clock its tempo is known within 0.05 BPM, and each tick far better than it comes",
        arguments: Cable.allCases, [60.0, 120, 174.3])
    func steady(cable: Cable, bpm: Double) {
        // What is more than half a period late now and then may be anything.
        if cable == .spikes, bpm > 150 { return }
        for seed in 0..<8 {
            let (readings, _, _) = readings(cable, seed: UInt64(seed), seconds: 30) { _ in bpm }
            let settled = readings.filter { $0.time > 1 }
            #expect(deviation(settled.map(\.bpm)) <= 0.05)
            #expect(deviation(settled.map(\.error)) < 0.3e-3)
            #expect(abs(settled.map(\.bpm).reduce(0, +) / Double(settled.count) - bpm) < 0.01)
        }
    }

    @Test(
        "A step of the tempo is followed within a beat", arguments: Cable.allCases,
        [(120.0, 126.0), (126, 120), (60, 174), (174, 60), (90, 93)])
    func steps(cable: Cable, tempos: (before: Double, after: Double)) {
        for seed in 0..<8 {
            let (readings, _, _) = readings(cable, seed: UInt64(seed), seconds: 12) {
                $0 < 5 ? tempos.before : tempos.after
            }
            let offset = readings.filter { (3..<5).contains($0.time) }.map(\.error).sorted()[10]
            let late = readings.filter { $0.time > 5 + 60 / tempos.after }
            // A beat later each tick is where it belongs, and most of the step is in the tempo.
            #expect(late.allSatisfy { abs($0.error - offset) < 3e-3 }, "seed \(seed)")
            let step = abs(tempos.after - tempos.before)
            #expect(late.allSatisfy { abs($0.bpm - tempos.after) < step / 2 }, "seed \(seed)")
        }
    }

    @Test("Ticks are counted through steps, and where some do not come", arguments: Cable.allCases)
    func counts(cable: Cable) {
        for seed in 0..<8 {
            let (_, estimate, ticks) = readings(cable, seed: UInt64(seed), seconds: 20) {
                $0 < 5 ? 120 : $0 < 10 ? 61 : 180
            }
            #expect(estimate.count == ticks, "seed \(seed)")
        }
        var random = TestRandom(seed: 9)
        var estimate = ClockEstimate()
        for tick in 0..<2_000 where tick < 100 || tick % 37 != 5 && !(700..<760).contains(tick) {
            estimate.add(cable.arrival(of: Double(tick) / 48, &random))
        }
        #expect(estimate.count == 1_999)
    }

    @Test("A ramp is followed: no tick more than 5 ms from its place")
    func ramp() {
        let (readings, _, _) = readings(.even, seed: 1, seconds: 30) { 120 + 20 * $0 / 30 }
        #expect(readings.filter { $0.time > 1 }.allSatisfy { abs($0.error) < 5e-3 })
    }

    @Test("A clock is lost when eight ticks are missing, and not before")
    func loss() {
        let (readings, estimate, _) = readings(.slots, seed: 1, seconds: 5) { _ in 120 }
        let last = readings.last?.time ?? 0
        #expect(!estimate.isLost(at: last + 7.5 / 48) && estimate.isLost(at: last + 8.6 / 48))
        #expect(!ClockEstimate().isLost(at: 1_000))
    }
}
