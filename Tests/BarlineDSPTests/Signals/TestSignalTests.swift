import BarlineDSP
import Foundation
import Testing

@Suite("Test signals")
struct TestSignalTests {
    private func samples(_ signal: TestSignal, _ frames: Range<Int64>, at rate: Double = 48_000) -> [Float] {
        frames.map { signal.sample(at: $0, sampleRate: rate) }
    }

    @Test("A sine has its frequency and its peak, also after a day", arguments: [1.0, 440, 997, 23_999])
    func sine(hertz: Double) {
        let signal = TestSignal(.sine(hertz: hertz), peak: 0.25)
        for first: Int64 in [0, 86_400 * 48_000] {
            for (place, sample) in samples(signal, first..<first + 4_800).enumerated() {
                // A whole number of cycles a second: whole seconds are left out.
                let seconds = Double((first + Int64(place)) % 48_000) / 48_000
                #expect(abs(Double(sample) - 0.25 * sin(2 * .pi * hertz * seconds)) < 1e-5)
            }
        }
        #expect(signal.sample(at: 0, sampleRate: 48_000) == 0)
        #expect(signal.sample(at: -5, sampleRate: 48_000) == 0)
    }

    @Test("Clicks are one frame long, the first one on the first frame, the nth on the frame nearest to its time")
    func clicks() {
        for (perMinute, rate) in [(60.0, 48_000.0), (120, 44_100), (133, 44_100), (6_000, 8_000), (7, 8_000)] {
            let period = rate * 60 / perMinute
            let expected = (0...).lazy.map { Int64((Double($0) * period).rounded()) }.prefix { $0 < 100_000 }
            let sounding = samples(TestSignal(.click(perMinute: perMinute), peak: 0.5), 0..<100_000, at: rate)
                .enumerated().filter { $0.element != 0 }
            #expect(sounding.map { Int64($0.offset) } == Array(expected), "\(perMinute) at \(rate)")
            #expect(sounding.allSatisfy { $0.element == 0.5 })
        }
    }

    @Test("Noise is white, uniform and the same each time")
    func noise() {
        let frames: Range<Int64> = 0..<65_536
        let sound = samples(TestSignal(.noise, peak: 0.5), frames).map(Double.init)
        #expect(samples(TestSignal(.noise, peak: 0.5), frames).map(Double.init) == sound)
        #expect(sound.allSatisfy { abs($0) <= 0.5 })
        let count = Double(sound.count)
        // Uniform over ±0.5: mean 0, mean square 1/12; five standard deviations of either.
        #expect(abs(sound.reduce(0, +) / count) < 5 * (1.0 / 12).squareRoot() / count.squareRoot())
        #expect(abs(sound.map { $0 * $0 }.reduce(0, +) / count - 1.0 / 12) < 5 * 0.0746 / count.squareRoot())
        for lag in 1...32 {
            let product = zip(sound, sound.dropFirst(lag)).map { $0 * $1 }.reduce(0, +) / count
            #expect(abs(product) < 5.0 / 12 / count.squareRoot(), "correlated at \(lag)")
        }
    }

    @Test("Silence is silent")
    func silence() { #expect(samples(TestSignal(.silence), 0..<1_000).allSatisfy { $0 == 0 }) }
}
