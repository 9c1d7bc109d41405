import BarlineTestSupport
import BarlineTime
import Foundation

/// Sounds to make clips of.
enum Sound {
    /// A rate that is known to be one.
    static func rate(_ hertz: Double) -> SampleRate { SampleRate(hertz) ?? .standard }

    /// A stereo file of `frames` frames: a sine of whole cycles left, another one right, so that it loops without a
    /// seam.
    static func tone(_ frames: Int, cycles: Int, level: Double = 0.25, sampleRate: Int = 48_000) -> [UInt8] {
        var samples: [Double] = []
        for frame in 0..<frames {
            let turn = 2 * Double.pi * Double(frame) / Double(frames)
            samples.append(level * sin(turn * Double(cycles)))
            samples.append(level * sin(turn * Double(cycles + 1)))
        }
        return WaveFile(samples, sampleRate: sampleRate, channels: 2).bytes
    }

    /// A mono file of noise, the same for the same seed.
    static func noise(_ frames: Int, seed: UInt64, level: Double = 0.2, sampleRate: Int = 48_000) -> [UInt8] {
        var random = TestRandom(seed: seed)
        return WaveFile((0..<frames).map { _ in level * random.amplitude() }, sampleRate: sampleRate).bytes
    }
}
