import BarlineDSP
import BarlineTime
import Foundation
import Testing

/// Nothing above the ceiling, and nothing changed below it.
@Suite("Limiter")
struct LimiterTests {
    /// Half a second, after which a swell has come back to silence.
    static let frames = 24_000
    static let latency = 144

    /// Sounds that reach up to 12 dB over full scale, with nothing above 0.45 of the sample rate.
    static let loud: [(name: String, sound: LimitedSound)] = [
        ("noise", .noise(seed: 1, frames: frames, level: 3).bandLimited()),
        ("hits", LimitedSound.hits(seed: 2, frames: frames, level: 4).bandLimited()),
        ("bass", .swell(hertz: 50, frames: frames, level: 2)),
        ("treble between the samples", .swell(hertz: 12_000, frames: frames, level: 1.4, phase: .pi / 4)),
        ("a high note", .swell(hertz: 15_973.5, frames: frames, level: 3)),
        ("square", LimitedSound((0..<frames).map { $0 / 57 % 2 == 0 ? 2.2 : -2.2 }).bandLimited()),
        ("clicks", LimitedSound((0..<frames).map { $0 % 1_013 < 2 ? 4 : 0.2 }).bandLimited()),
        (
            "one side",
            LimitedSound(
                LimitedSound.hits(seed: 4, frames: frames, level: 3).left, [Float](repeating: 0.3, count: frames)
            ).bandLimited()
        ),
    ]

    @Test("No true peak is above the ceiling", arguments: [-1.0, -6])
    func ceiling(ceiling: Double) {
        let settings = LimiterSettings(ceiling: Decibels(ceiling))
        for (name, sound) in LimiterTests.loud {
            #expect(sound.truePeak(factor: 16) > 2, "\(name) is loud")
            let limited = sound.limited(settings)
            let peak = limited.truePeak(factor: 4)
            // As near as a filter of 32 samples comes to one without end.
            #expect(peak <= ceiling + 0.02, "\(name): \(peak) dBTP")
            #expect(peak > ceiling - 1, "\(name): \(peak) dBTP is lower than need be")
            // Between four points a sine of a third of the sample rate rises by −20 log₁₀ cos 15°, which lets it pass
            // at the ceiling.
            let finest = limited.truePeak(factor: 16)
            #expect(finest <= ceiling + (name == "a high note" ? 0.32 : 0), "\(name): \(finest) dBTP")
        }
    }

    @Test("No true peak is above the ceiling at any sample rate", arguments: [8_000.0, 44_100, 96_000, 192_000])
    func rates(hertz: Double) throws {
        let rate = try #require(SampleRate(hertz))
        let sound = LimitedSound.hits(seed: 5, frames: LimiterTests.frames, level: 4).bandLimited()
        #expect(sound.limited(rate: rate).truePeak(factor: 16) <= -1)
        #expect(Double(Limiter.latency(at: rate)) <= 0.005 * hertz)
    }

    @Test("Where no true peak is above the ceiling the output is the input, bit for bit, delayed")
    func transparency() {
        for (name, sound) in LimiterTests.loud {
            // A quarter of a decibel below it, all true peaks included.
            let below = sound.scaled(by: Float(pow(10, (-1.25 - sound.truePeak(factor: 16)) / 20)))
            #expect(below.limited().isIdentical(to: below.delayed(LimiterTests.latency)), "\(name)")
        }
    }

    @Test("After a peak the output is the input again, bit for bit")
    func recovery() {
        var sound = LimitedSound.noise(seed: 6, frames: 96_000, level: 0.4)
        for frame in 1_000..<1_200 { sound.left[frame] *= 9 }
        let limited = sound.limited()
        let delayed = sound.delayed(LimiterTests.latency)
        #expect(limited.isIdentical(to: delayed, in: 0..<1_000))
        #expect(!limited.isIdentical(to: delayed, in: 1_000..<1_400))
        #expect(limited.isIdentical(to: delayed, in: 72_000..<96_000))
    }

    @Test("The block size never shows")
    func blockSizes() {
        let sound = LimiterTests.loud[1].sound
        let reference = sound.limited(blocks: [64])
        for blocks in [[1], [17], [255, 256, 257], [1024], [8192], [3, 1, 500, 2, 7000]] {
            #expect(sound.limited(blocks: blocks).isIdentical(to: reference), "\(blocks)")
        }
    }

    @Test("The gain is one curve for both sides, without a step")
    func continuity() {
        // Two constants show the gain itself.
        let jump = (0..<60_000).map { frame -> Float in frame / 10_000 % 2 == 0 ? 0.5 : 5 }
        let limited = LimitedSound(jump, jump.map { $0 / 10 }).limited()
        let delayed = LimitedSound(jump).delayed(LimiterTests.latency)
        let gains = (LimiterTests.latency..<60_000).map { Double(limited.left[$0]) / Double(delayed.left[$0]) }
        let other = (LimiterTests.latency..<60_000).map { 10 * Double(limited.right[$0]) / Double(delayed.left[$0]) }
        #expect(zip(gains, other).allSatisfy { abs($0 - $1) < 1e-6 })
        let steps = zip(gains, gains.dropFirst()).map { abs($1 - $0) }
        // Down by 0.87, an edge rising beyond its samples, in 2.6 ms: a curve without corners is nowhere steeper than
        // 2.25 times the straight line.
        let steepest = steps.max() ?? 1
        #expect(steepest < 2.3 * 0.87 / 120, "\(steepest)")
        let corners = zip(steps, steps.dropFirst()).map { abs($1 - $0) }
        #expect((corners.max() ?? 1) < steepest / 20)
        #expect(gains.max() == 1 && (gains.min() ?? 0) > 0.13)
    }

    @Test("Turned off it is exact and as late; turned on and off while it plays, its gain has no step")
    func bypass() {
        let loud = LimiterTests.loud[0].sound
        let off = loud.limited(LimiterSettings(isOn: false))
        #expect(off.isIdentical(to: loud.delayed(LimiterTests.latency)))
        let constant = LimitedSound([Float](repeating: 2, count: 60_000))
        let switched = constant.limited(blocks: [1_000]) { frame, limiter in
            limiter.set(isOn: frame / 20_000 % 2 == 0, ceiling: 0.8)
        }
        let samples = switched.left[200...]
        #expect((samples.min() ?? 0) < 0.8 && (samples.max() ?? 0) > 1.99, "it is switched")
        let steepest = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 1
        #expect(steepest < 2 * 2.3 * 0.62 / 120, "\(steepest)")
    }

    @Test("What is no number comes out as silence, and spoils nothing after it")
    func notNumbers() {
        var sound = LimitedSound.noise(seed: 7, frames: 4_000, level: 0.4)
        var expected = sound
        for (frame, value) in [(500, Float.nan), (501, .infinity), (777, -.infinity), (1_234, -.nan)] {
            sound.left[frame] = value
            expected.left[frame] = 0
        }
        #expect(sound.limited().isIdentical(to: expected.delayed(LimiterTests.latency)))
        sound.left[2_000] = .greatestFiniteMagnitude
        #expect(sound.limited().left.allSatisfy { abs($0) <= 0.9 })
    }

    @Test("It tells how many samples came in over full scale, the highest one and the lowest gain")
    func reading() {
        var limiter = Limiter(sampleRate: .standard)
        var left = [Float](repeating: 0.1, count: 1_000)
        var right = left
        for (frame, value) in [(100, Float(2)), (101, -4), (300, 1)] { left[frame] = value }
        right[100] = -1.5
        limiter.process(left: &left, right: &right, frames: 1_000)
        let reading = limiter.takeReading()
        #expect(reading.overCount == 3 && reading.peak == 4)
        #expect(reading.gain == reading.lowestGain && abs(reading.gain - 0.25 * 0.891 * 0.966) < 0.02)
        for _ in 0..<80 {
            for frame in left.indices { (left[frame], right[frame]) = (0, 0) }
            limiter.process(left: &left, right: &right, frames: 1_000)
        }
        _ = limiter.takeReading()
        #expect(limiter.takeReading() == LimiterReading(overCount: 3, peak: 4, gain: 1, lowestGain: reading.lowestGain))
        limiter.resetReading()
        #expect(limiter.takeReading() == .idle)
    }
}
