import BarlineFiles
import BarlineTestSupport
import BarlineTime
import CEBUR128
import Foundation
import Testing

@testable import BarlineAnalysis

/// True peaks, beside libebur128 on the same samples.
@Suite("True peaks")
struct TruePeakTests {
    /// What libebur128 makes of samples, in dB.
    private func reference(_ samples: [Float], rate: Double) -> Double {
        var state = ebur128_init(1, UInt(rate), Int32(EBUR128_MODE_TRUE_PEAK.rawValue))
        defer { ebur128_destroy(&state) }
        _ = ebur128_add_frames_float(state, samples, samples.count)
        var peak = 0.0
        _ = ebur128_true_peak(state, 0, &peak)
        return 20 * log10(peak)
    }

    /// Takes samples in in pieces of any length.
    private func measured(_ samples: [Float], rate: Double, seed: UInt64) throws -> Double {
        var meter = TruePeakMeter(sampleRate: try #require(SampleRate(rate)))
        var random = TestRandom(seed: seed)
        var start = 0
        while start < samples.count {
            let count = min(samples.count - start, random.pick([1, 2, 7, 15, 16, 17, 100, 2_047, 2_048, 2_049, 9_000]))
            samples.withUnsafeBufferPointer { samples in
                if let first = samples.baseAddress { meter.add(first + start, frames: count) }
            }
            start += count
        }
        return 20 * log10(Double(meter.peak))
    }

    /// Signals whose peaks are between samples, as far from them as can be, and others that filters find hard.
    private func signals(seed: UInt64) -> [(String, [Float])] {
        var random = TestRandom(seed: seed)
        let count = 20_000
        func sine(_ cycles: Double, _ phase: Double) -> [Float] {
            (0..<count).map { Float(0.7 * sin(2 * .pi * (cycles * Double($0) + phase))) }
        }
        var signals: [(String, [Float])] = [
            ("a quarter of the rate, between samples", sine(0.25, 0.125)),
            ("just below half the rate", sine(0.4999, 0)),
            ("a third of the rate", sine(1.0 / 3, 0.08)),
            ("an impulse", (0..<count).map { $0 == 777 ? 1 : 0 }),
            ("two of opposite signs", (0..<count).map { $0 == 777 ? 1 : $0 == 778 ? -1 : 0 }),
            ("a square", (0..<count).map { $0 / 25 % 2 == 0 ? 0.9 : -0.9 }),
            ("a step at the end", (0..<count).map { $0 > count - 7 ? 1 : 0 }),
            ("quiet", (0..<count).map { _ in Float(random.amplitude()) * 1e-6 }),
        ]
        // Signs that follow the window's own add up to as much as a filter can give.
        for shift in 1...3 {
            signals.append(
                (
                    "the worst for place \(shift)",
                    (0..<count).map { $0 % 48 < 24 ? [1, -1, -1, 1][($0 + shift) % 4] : -1 }
                ))
        }
        for number in 0..<6 {
            signals.append(("noise \(number)", (0..<count).map { _ in Float(random.amplitude()) }))
            signals.append(("signs \(number)", (0..<count).map { _ in random.chance(0.5) ? 1 : -1 }))
            signals.append(("sine \(number)", sine(random.double(0...0.5), random.double(0...1))))
        }
        return signals
    }

    @Test(
        "They are libebur128's to 0.01 dB, whatever the signal, the rate and the pieces",
        arguments: [8_000.0, 11_025, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000])
    func adversarial(rate: Double) throws {
        for (name, samples) in signals(seed: UInt64(rate)) {
            let expected = reference(samples, rate: rate)
            let found = try measured(samples, rate: rate, seed: UInt64(rate) + 1)
            #expect(abs(found - expected) <= 0.01, "\(name): \(found) dB, libebur128 \(expected) dB")
        }
    }

    @Test("They are libebur128's on recorded music")
    func recorded() throws {
        let folder = "/usr/share/sonic-pi/samples"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".flac") }
            .sorted()
        #expect(names.count > 50)
        for name in names {
            let clip = try AudioClip(path: "\(folder)/\(name)")
            let samples = clip.samples
            let left = Array(UnsafeBufferPointer(start: samples.left, count: samples.frameCount))
            let rate = samples.sampleRate.hertz
            let found = try measured(left, rate: rate, seed: 5)
            #expect(abs(found - reference(left, rate: rate)) <= 0.01, "\(name)")
        }
    }

    @Test("Nothing heard is no peak")
    func silence() throws {
        #expect(TruePeakMeter(sampleRate: .standard).peak == 0)
        #expect(try measured([0, 0, 0], rate: 48_000, seed: 1) == -.infinity)
    }
}
