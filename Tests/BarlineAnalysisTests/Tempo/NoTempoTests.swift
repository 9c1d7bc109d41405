import BarlineDSP
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineAnalysis

/// What has no tempo is not given one, and nothing that may be in a file makes the analysis fail.
@Suite("Sounds without a tempo")
struct NoTempoTests {
    private func estimate(_ samples: [Float]) -> TempoEstimate {
        TempoAnalysis.estimate(SampleBuffer(left: samples, sampleRate: .standard))
    }

    /// A number from 0 to 1.
    private func share(_ random: inout TestRandom) -> Double { 0.5 + 0.5 * random.amplitude() }

    private func expectNone(_ samples: [Float], _ absence: TempoEstimate.Absence? = nil) {
        let estimate = estimate(samples)
        #expect(estimate.bpm == nil && estimate.loopBeats == nil && estimate.beats.isEmpty)
        #expect(estimate.absence != nil)
        if let absence { #expect(estimate.absence == absence) }
    }

    @Test("Silence, a constant and a single frame")
    func silence() {
        expectNone(Array(repeating: 0, count: 96_000), .silence)
        expectNone(Array(repeating: 0.5, count: 96_000), .silence)
        expectNone([0.5], .silence)
        expectNone((0..<4800).map { Float(sin(Double($0))) }, .tooShort)
    }

    @Test("Noise and a tone")
    func noise() {
        var random = TestRandom(seed: 3)
        expectNone((0..<240_000).map { _ in Float(0.5 * random.amplitude()) })
        expectNone((0..<240_000).map { Float(0.3 * sin(2 * .pi * 440 * Double($0) / 48_000)) })
    }

    @Test("A single hit")
    func hit() {
        var machine = DrumMachine(seconds: 2, rate: 48_000)
        machine.play(.snare, at: 0.1)
        expectNone(machine.samples)
    }

    @Test("Syllables: bursts at irregular distances")
    func syllables() {
        var random = TestRandom(seed: 8)
        var samples = [Float](repeating: 0, count: 480_000)
        var start = 2000
        while start < 460_000 {
            let length = 3000 + Int(9000 * share(&random))
            let pitch = 100 + 120 * share(&random)
            for frame in 0..<length where start + frame < samples.count {
                let time = Double(frame) / 48_000
                let shape = sin(.pi * Double(frame) / Double(length))
                samples[start + frame] += Float(0.3 * shape * sin(2 * .pi * pitch * time) * (1 + 0.3 * share(&random)))
            }
            start += length + Int(14_000 * share(&random) * share(&random))
        }
        expectNone(samples)
    }

    @Test("What is no number does no harm")
    func notFinite() {
        var samples = DrumMachine.loop("bhnhbhnh", bpm: 120, bars: 2, rate: 48_000).samples
        samples[1000] = .nan
        samples[9000] = .infinity
        _ = estimate(samples)
        _ = estimate(Array(repeating: .nan, count: 48_000))
    }

    @Test("Any length from one frame on", arguments: [1, 2, 47, 1023, 4410, 19_200, 19_201, 24_000, 48_000])
    func lengths(count: Int) {
        var random = TestRandom(seed: UInt64(count))
        let estimate = estimate((0..<count).map { _ in Float(0.5 * random.amplitude()) })
        #expect((estimate.bpm == nil) == (estimate.absence != nil))
    }
}
