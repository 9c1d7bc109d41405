import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineHost

/// The signal that a round trip is measured with, against delays that are known.
@Suite("Measuring a delay")
struct RoundTripSignalTests {
    private static let signal = RoundTripSignal(sampleRate: 48_000)

    /// A period of the signal that comes `delay` frames late, between frames by a windowed sinc of 401 taps.
    private func delayed(_ delay: Double, gain: Double = 1, noise: Double = 0, seed: UInt64 = 1) -> [Float] {
        var random = TestRandom(seed: seed)
        let samples = Self.signal.samples
        let whole = Int(delay.rounded(.down))
        let part = delay - Double(whole)
        let taps = (-200...200).map { tap -> Double in
            let place = Double(tap) - part
            let sinc = abs(place) < 1e-12 ? 1 : sin(.pi * place) / (.pi * place)
            return sinc * (0.5 + 0.5 * cos(.pi * place / 202))
        }
        return samples.indices.map { frame in
            var sum = 0.0
            if part == 0 {
                sum = Double(samples[wrapped: frame - whole])
            } else {
                for (tap, weight) in taps.enumerated() {
                    sum += weight * Double(samples[wrapped: frame - whole - tap + 200])
                }
            }
            return Float(gain * sum + noise * random.amplitude())
        }
    }

    @Test(
        "Delays are found to a fiftieth of a frame, whole or not", arguments: [0, 1, 777, 1_512.25, 30_000.5, 65_000.9])
    func delays(frames: Double) throws {
        let reading = try #require(Self.signal.reading(of: delayed(frames)))
        #expect(abs(reading.frames - frames) < 0.02, "\(reading)")
        #expect(abs(reading.gain) < 0.1)
    }

    @Test(
        "So they are where the signal comes back soft, turned over, and in noise that is louder",
        arguments: UInt64(1)...4)
    func noisy(seed: UInt64) throws {
        let heard = delayed(4_321.4, gain: -0.05, noise: 0.05, seed: seed)
        let reading = try #require(Self.signal.reading(of: heard))
        #expect(abs(reading.frames - 4_321.4) < 0.1, "\(reading)")
        #expect(abs(reading.gain + 26) < 0.5)
        #expect(reading.clarity > RoundTripSignal.leastClarity)
    }

    @Test("Noise is not taken for the signal, nor is silence, hum or a click", arguments: UInt64(1)...8)
    func nothing(seed: UInt64) {
        let count = Self.signal.samples.count
        let noise = delayed(0, gain: 0, noise: 0.3, seed: seed)
        #expect((Self.signal.reading(of: noise)?.clarity ?? 0) < RoundTripSignal.leastClarity)
        #expect(Self.signal.reading(of: [Float](repeating: 0, count: count)) == nil)
        let hum = (0..<count).map { Float(0.3 * sin(2 * .pi * 50 * Double($0) / 48_000 + Double(seed))) }
        #expect((Self.signal.reading(of: hum)?.clarity ?? 0) < RoundTripSignal.leastClarity)
        var click = [Float](repeating: 0, count: count)
        click[Int(seed) * 1_000] = 0.9
        #expect((Self.signal.reading(of: click)?.clarity ?? 0) < RoundTripSignal.leastClarity)
    }

    @Test(
        "It is a tenth of full scale, longer than a second at any rate",
        arguments: [8_000, 44_100, 48_000, 96_000, 192_000])
    func shape(rate: Double) {
        let signal = RoundTripSignal(sampleRate: rate)
        #expect(Double(signal.samples.count) >= rate && signal.samples.count.nonzeroBitCount == 1)
        let peak = signal.samples.map(abs).max() ?? 0
        #expect(abs(peak - 0.1) < 1e-3)
        let power = signal.samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(signal.samples.count)
        #expect(Double(peak) / power.squareRoot() < 2, "a sweep, not a click")
    }
}

extension [Float] {
    /// The array as one period of what goes on for ever.
    fileprivate subscript(wrapped index: Int) -> Float {
        let place = index % count
        return self[place < 0 ? place + count : place]
    }
}
