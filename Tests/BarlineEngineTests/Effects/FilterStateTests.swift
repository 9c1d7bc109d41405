import BarlineTime
import Testing

@testable import BarlineEngine

/// What the filter remembers: it stays bounded, comes to rest, and forgets what is no number.
@Suite("Filter state")
struct FilterStateTests {
    /// Whether every sample is zero or a number that is computed with quickly.
    private func areNormal(_ samples: [Float]) -> Bool { samples.allSatisfy { $0 == 0 || $0.isNormal } }

    @Test("It stays bounded under storms of extreme automation", arguments: [UInt64(1), 2, 3, 4])
    func storm(seed: UInt64) {
        var random = TestRandom(seed: seed)
        let bench = FilterBench(cutoff: 1_000, resonance: 20, mode: .lowpass, rate: 48_000)
        var largest: Float = 0
        for _ in 0..<4_000 {
            let frames = random.pick([0, 1, 31, 240, 5_000])
            switch random.int(0...2) {
            case 0: bench.set(0, to: random.pick([20, 20_000, random.double(20...20_000)]), frames: frames)
            case 1: bench.set(1, to: random.pick([0.5, 20, random.double(0.5...20)]), frames: frames)
            default: bench.set(2, to: Double(random.int(0...3)), frames: frames)
            }
            let noise = (0..<random.int(1...100)).map { _ in Float(random.double(-1...1)) }
            let output = bench.filtered(noise)
            #expect(output.count == noise.count, "both channels are filtered alike")
            largest = max(largest, output.map { abs($0) }.max() ?? .infinity)
        }
        // A resonance of 20 makes at most 20 times of a tone; the state's energy bounds what a change can add.
        #expect(largest > 1 && largest < 100, "\(largest)")
    }

    @Test("After the sound it rings down to nothing at all, past no number that is slow to compute with")
    func rest() {
        for mode in FilterMode.allCases {
            for cutoff in [20.0, 1_000, 12_000, 20_000] {
                let bench = FilterBench(cutoff: cutoff, resonance: 20, mode: mode, rate: 48_000)
                var random = TestRandom(seed: 9)
                let noise = (0..<4_800).map { _ in Float(random.double(-1...1)) }
                #expect(areNormal(bench.filtered(noise)))
                #expect(!bench.isAtRest)
                // 180 dB are 20.7 Np, and the ring builds up to some times the noise.
                let frames = ringFrames(cutoff: cutoff, resonance: 20, rate: 48_000, nepers: 28)
                let silence = [Float](repeating: 0, count: frames + 96)
                let ring = bench.filtered(silence)
                #expect(areNormal(ring) && ring.last == 0)
                #expect(bench.isAtRest, "\(mode) at \(cutoff) Hz")
                #expect(bench.filtered([Float](repeating: 0, count: 100)).allSatisfy { $0.bitPattern == 0 })
            }
        }
    }

    @Test("A constant that is kept out does not leave numbers that are slow to compute with")
    func constant() {
        let bench = FilterBench(cutoff: 12_000, resonance: 0.5, mode: .highpass, rate: 48_000)
        #expect(areNormal(bench.filtered([Float](repeating: 0.3, count: 48_000))))
    }

    @Test("A sample that is no number is forgotten with the block that it is in")
    func notANumber() {
        for poison in [Float.nan, .infinity] {
            let bench = FilterBench(cutoff: 500, resonance: 2, mode: .bandpass, rate: 48_000)
            _ = bench.filtered([0.5, poison] + [Float](repeating: 0.25, count: 62))
            let after = bench.filtered([Float](repeating: 0.25, count: 640))
            #expect(after.allSatisfy { $0.isFinite })
        }
    }

    @Test("A frequency moves in equal intervals in equal times")
    func logarithmicRamp() {
        var parameter = Parameter(200, of: .frequency)
        parameter.set(12_800, at: FrameTime(100), frames: 600)
        for octave in 0...6 {
            let frequency = parameter.value(at: FrameTime(Int64(100 + 100 * octave)))
            #expect(abs(frequency / (200 * Double(1 << octave)) - 1) < 1e-6)
        }
        #expect(!parameter.isSettled(at: FrameTime(699)) && parameter.isSettled(at: FrameTime(700)))
        #expect(abs(parameter.target - 12_800) < 0.01)
    }
}
