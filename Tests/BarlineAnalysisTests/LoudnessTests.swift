import BarlineTestSupport
import BarlineTime
import CEBUR128
import Foundation
import Testing

@testable import BarlineAnalysis

/// Loudness, by the test signals of EBU Tech 3341.
@Suite("Loudness")
struct LoudnessTests {
    /// Plays a sine of 1 kHz at peak levels in dBFS, each for some seconds.
    private func meter(_ parts: [(level: Double, seconds: Double)], rate: Double = 48_000) throws -> LoudnessMeter {
        let sampleRate = try #require(SampleRate(rate))
        let meter = try #require(LoudnessMeter(sampleRate: sampleRate))
        var start = 0
        for part in parts {
            let peak = pow(10, part.level / 20)
            let samples = (0..<Int(part.seconds * rate)).map { frame in
                Float(peak * sin(2 * .pi * 1000 * Double(start + frame) / rate))
            }
            start += samples.count
            for piece in stride(from: 0, to: samples.count, by: 4800) {
                let block = Array(samples[piece..<min(piece + 4800, samples.count)])
                meter.add(left: block, right: block, frames: block.count)
            }
        }
        return meter
    }

    @Test("Case 1: a sine at −23 dBFS on both channels is −23 LUFS", arguments: [44_100.0, 48_000, 96_000])
    func firstCase(rate: Double) throws {
        let meter = try meter([(level: -23, seconds: 20)], rate: rate)
        #expect(abs(meter.momentary + 23) <= 0.1)
        #expect(abs(meter.shortTerm + 23) <= 0.1)
        #expect(abs(meter.integrated + 23) <= 0.1)
    }

    @Test("Case 2: at −33 dBFS it is −33 LUFS")
    func secondCase() throws {
        let meter = try meter([(level: -33, seconds: 20)])
        #expect(abs(meter.momentary + 33) <= 0.1)
        #expect(abs(meter.shortTerm + 33) <= 0.1)
        #expect(abs(meter.integrated + 33) <= 0.1)
    }

    @Test("Case 3: quiet parts are gated")
    func thirdCase() throws {
        let meter = try meter([(level: -36, seconds: 10), (level: -23, seconds: 60), (level: -36, seconds: 10)])
        #expect(abs(meter.integrated + 23) <= 0.1)
    }

    @Test(
        "Silence between sounds changes no value by a bit, however long it lasts",
        arguments: [11_025.0, 44_100, 48_000])
    func lastingSilence(rate: Double) throws {
        let sampleRate = try #require(SampleRate(rate))
        let meter = try #require(LoudnessMeter(sampleRate: sampleRate))
        var reference = ebur128_init(
            2, UInt(rate), Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_S.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue))
        defer { ebur128_destroy(&reference) }
        var random = TestRandom(seed: UInt64(rate))
        for seconds in [2.0, 14.3, 0.7, 31.111, 1.0, 9.99, 0.01, 20.5] {
            let isSilent = seconds > 5
            var left = Int(seconds * rate)
            while left > 0 {
                let count = min(left, 1 + Int(abs(random.amplitude()) * 5_000))
                left -= count
                let samples = (0..<count).map { _ in isSilent ? 0 : Float(random.amplitude()) / 4 }
                meter.add(left: samples, right: samples, frames: count)
                _ = ebur128_add_frames_float(reference, samples.flatMap { [$0, $0] }, count)
                var (momentary, shortTerm) = (0.0, 0.0)
                _ = ebur128_loudness_momentary(reference, &momentary)
                #expect(meter.momentary == momentary)
                if left == 0 {
                    _ = ebur128_loudness_shortterm(reference, &shortTerm)
                    #expect(meter.shortTerm == shortTerm)
                }
            }
            var (integrated, peak) = (0.0, 0.0)
            _ = ebur128_loudness_global(reference, &integrated)
            _ = ebur128_true_peak(reference, 0, &peak)
            #expect(meter.integrated == integrated)
            #expect(abs(meter.truePeak - 20 * log10(peak)) <= 0.01)
        }
    }

    @Test(
        "Without what needs all of the sound, the loudness of three seconds is the same at every 100 ms, and stays until the next",
        arguments: [44_100.0, 48_000, 96_000])
    func steps(rate: Double) throws {
        let sampleRate = try #require(SampleRate(rate))
        let light = try #require(
            LoudnessMeter(sampleRate: sampleRate, measuresIntegrated: false, measuresTruePeak: false))
        let whole = try #require(LoudnessMeter(sampleRate: sampleRate))
        var random = TestRandom(seed: UInt64(rate))
        let step = Int(rate / 10)
        var shown = -Double.infinity
        var done = 0
        for turn in 0..<900 {
            // Sound, silence that is measured, sound that is louder, and silence that is only counted.
            let level: Float = [0.1, 0, 0.7, 0, 0, 0.3][turn / 50 % 6]
            var left = step
            while left > 0 {
                let count = min(left, 1 + Int(abs(random.amplitude()) * 3_000))
                let one = (0..<count).map { _ in level * Float(random.amplitude()) }
                let other = (0..<count).map { _ in level / 2 * Float(random.amplitude()) }
                light.add(left: one, right: other, frames: count)
                whole.add(left: one, right: other, frames: count)
                left -= count
                done += count
                if left > 0, level > 0, done % 7 == 0 { #expect(light.shortTerm == shown) }
            }
            shown = light.shortTerm
            let (expected, momentary) = (whole.shortTerm, whole.momentary)
            #expect(shown == expected || abs(shown - expected) < 1e-6, "\(turn): \(shown), \(expected)")
            #expect(light.momentary == momentary || abs(light.momentary - momentary) < 1e-6)
        }
    }

    @Test("Silence has no loudness")
    func silence() throws {
        let meter = try #require(LoudnessMeter(sampleRate: .standard))
        #expect(meter.integrated == -.infinity)
        let zeros = [Float](repeating: 0, count: 48_000)
        for _ in 0..<4 { meter.add(left: zeros, right: zeros, frames: zeros.count) }
        #expect(meter.integrated == -.infinity && meter.shortTerm == -.infinity && meter.momentary == -.infinity)
    }
}
