import BarlineDSP
import BarlineTime
import Foundation

/// A stereo sound, and what a limiter makes of it.
struct LimitedSound {
    var left: [Float]
    var right: [Float]

    init(_ left: [Float], _ right: [Float]? = nil) {
        self.left = left
        self.right = right ?? left
    }

    /// The sound through a limiter, block by block; `before` is told each block's first frame and may change settings.
    func limited(
        _ settings: LimiterSettings = LimiterSettings(), rate: SampleRate = .standard, blocks: [Int] = [256],
        before: (Int, inout Limiter) -> Void = { _, _ in }
    ) -> LimitedSound {
        var limiter = Limiter(settings, sampleRate: rate)
        var (left, right) = (left, right)
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return }
                var frame = 0
                var block = 0
                while frame < left.count {
                    let count = min(blocks[block % blocks.count], left.count - frame)
                    before(frame, &limiter)
                    limiter.process(left: leftBase + frame, right: rightBase + frame, frames: count)
                    frame += count
                    block += 1
                }
            }
        }
        return LimitedSound(left, right)
    }

    /// The sound `frames` frames later, as long as before.
    func delayed(_ frames: Int) -> LimitedSound {
        func shifted(_ samples: [Float]) -> [Float] {
            Array(([Float](repeating: 0, count: frames) + samples).prefix(samples.count))
        }
        return LimitedSound(shifted(left), shifted(right))
    }

    /// Whether both are the same, bit for bit, in the frames `range`.
    func isIdentical(to other: LimitedSound, in range: Range<Int>? = nil) -> Bool {
        let range = range ?? left.indices
        return range.allSatisfy {
            left[$0].bitPattern == other.left[$0].bitPattern && right[$0].bitPattern == other.right[$0].bitPattern
        }
    }

    /// The true peak of both sides, in dB.
    func truePeak(factor: Int) -> Double {
        max(TruePeakReference.decibels(left, factor: factor), TruePeakReference.decibels(right, factor: factor))
    }

    func scaled(by gain: Float) -> LimitedSound { LimitedSound(left.map { $0 * gain }, right.map { $0 * gain }) }

    /// The sound without what lies above 0.45 of the sample rate, by a windowed sinc; its first and last samples are
    /// faded, so that it has no edges of its own.
    func bandLimited() -> LimitedSound {
        let weights = (-128...128).map { tap -> Double in
            let angle = .pi * Double(tap)
            let sinc = tap == 0 ? 0.88 : sin(0.88 * angle) / angle
            return sinc * (0.5 + 0.5 * cos(angle / 129))
        }
        func filtered(_ samples: [Float]) -> [Float] {
            samples.indices.map { frame in
                guard frame >= 128, frame + 128 < samples.count else { return 0 }
                let edge = min(1, Double(min(frame, samples.count - 1 - frame) - 128) / 500)
                var sum = 0.0
                for tap in 0...256 { sum += weights[tap] * Double(samples[frame - 128 + tap]) }
                return Float(edge * sum)
            }
        }
        return LimitedSound(filtered(left), filtered(right))
    }

    // MARK: Sounds

    static func noise(seed: UInt64, frames: Int, level: Float) -> LimitedSound {
        var random = TestRandom(seed: seed)
        func channel() -> [Float] { (0..<frames).map { _ in level * Float(Double.random(in: -1...1, using: &random)) } }
        return LimitedSound(channel(), channel())
    }

    /// A sine of `hertz` whose level goes up and down twice a second, from silence to `level`.
    static func swell(hertz: Double, frames: Int, level: Double, phase: Double = 0, rate: Double = 48_000)
        -> LimitedSound
    {
        LimitedSound(
            (0..<frames).map { frame in
                let time = Double(frame) / rate
                return Float(level * pow(sin(2 * .pi * time), 2) * sin(2 * .pi * hertz * time + phase))
            })
    }

    /// Hits that begin at once: a decaying chord with noise, `level` high.
    static func hits(seed: UInt64, frames: Int, level: Double, every period: Int = 9_000) -> LimitedSound {
        var random = TestRandom(seed: seed)
        return LimitedSound(
            (0..<frames).map { frame in
                let time = Double(frame % period) / 48_000
                let tone =
                    sin(2 * .pi * 61 * time) + 0.5 * sin(2 * .pi * 1_733 * time) + 0.5
                    * Double.random(in: -1...1, using: &random)
                return Float(level / 2 * tone * exp(-12 * time))
            })
    }
}
