import BarlineDSP
import BarlineTime
import Foundation
import Testing

@Suite("Levels")
struct LevelTests {
    @Test("A ramp is a straight line by the frame, and turns without a step")
    func ramp() {
        let ramp = Ramp(from: 1, to: 0, start: FrameTime(1_000), frames: 240)
        for frame in Int64(900)..<1_300 {
            let expected = min(1, max(0, 1 - Double(frame - 1_000) / 240))
            #expect(abs(Double(ramp.value(at: FrameTime(frame))) - expected) < 1e-6)
        }
        let turned = ramp.redirected(to: 1, at: FrameTime(1_100), frames: 100)
        #expect(turned.value(at: FrameTime(1_100)) == ramp.value(at: FrameTime(1_100)))
        #expect(turned.value(at: FrameTime(1_200)) == 1)
        #expect(!ramp.isSettled(at: FrameTime(1_239)))
        #expect(ramp.isSettled(at: FrameTime(1_240)))
    }

    @Test("A meter's peak decays by the block as the formula says, and its RMS is that of the signal")
    func meter() {
        var meter = Meter()
        let sine = TestSound.sine(1.0 / 48, frames: 48_000)
        var level = 0.0
        sine.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            for start in stride(from: 0, to: 48_000, by: 480) {
                meter.update(
                    left: base + start, right: base + start, MeterBallistics(frames: 480, sampleRate: .standard))
            }
        }
        level = Double(sine.map(abs).max() ?? 0)
        #expect(abs(Double(meter.reading.peakLeft) - level) < 1e-5)
        // After a second, three time constants and a bit: 1 − e^(−1/0.3) of the mean square 1/2.
        #expect(abs(Double(meter.reading.rmsRight) - sqrt(0.5 * (1 - exp(-1 / 0.3)))) < 1e-3)
        let silence = [Float](repeating: 0, count: 512)
        for block in 1...400 {
            meter.update(left: silence, right: silence, MeterBallistics(frames: 512, sampleRate: .standard))
            level = max(0, level * pow(1 - Meter.decay / 48_000, 512))
            let shown = level < 1e-7 ? 0 : level
            #expect(abs(Double(meter.reading.peakLeft) - shown) < 1e-5 * max(shown, 1e-3), "block \(block)")
        }
        for _ in 0..<2_000 {
            meter.update(left: silence, right: silence, MeterBallistics(frames: 512, sampleRate: .standard))
        }
        #expect(meter.reading == .silence)
        #expect(meter.isAtRest)
    }

    @Test(
        "A meter falls again after samples that are no finite numbers",
        arguments: [Float.nan, .infinity, -.infinity, 3e38])
    func numbers(sample: Float) {
        var meter = Meter()
        for place in [0, 7, 511] {
            var broken = [Float](repeating: 0.25, count: 512)
            broken[place] = sample
            meter.update(left: broken, right: broken, MeterBallistics(frames: 512, sampleRate: .standard))
            #expect(meter.checkInvariants())
        }
        let silence = [Float](repeating: 0, count: 512)
        for _ in 0..<9_000 {
            meter.update(left: silence, right: silence, MeterBallistics(frames: 512, sampleRate: .standard))
        }
        #expect(meter.isAtRest && meter.reading == .silence)
    }

    @Test("The peak falls by 20 dB in a second and a half")
    func decay() {
        #expect(abs(20 * log10(pow(1 - Meter.decay / 48_000, 72_000)) + 20) < 0.01)
    }

    @Test("Decibels are twenty times the logarithm, unity is exact, silence is nothing")
    func decibels() {
        #expect(Decibels(0).amplitude == 1)
        #expect(abs(Decibels(-6).amplitude - 0.501_187_233_627) < 1e-12)
        #expect(Decibels.silence.amplitude == 0)
        #expect(abs(Decibels(amplitude: 2).rawValue - 6.020_599_913) < 1e-8)
    }
}
