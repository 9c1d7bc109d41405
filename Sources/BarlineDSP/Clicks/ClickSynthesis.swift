import BarlineTime
import CRealtime

/// Synthesises the clicks of a metronome: 100 ms long, the last 5 ms fading to zero.
package enum ClickSynthesis {
    /// The length of a click.
    package static let seconds = 0.1

    /// A sine burst, `level · sin(2π · frequency · t) · exp(−30 t)`.
    package static func sine(frequency: Double, level: Double, sampleRate: SampleRate) -> [Float] {
        samples(at: sampleRate) { time in
            level * rt_sin(2 * Double.pi * frequency * time) * rt_exp(-30 * time)
        }
    }

    /// A woodblock: two partials, the higher of which decays faster.
    package static func woodblock(frequency: Double, level: Double, sampleRate: SampleRate) -> [Float] {
        samples(at: sampleRate) { time in
            let angle = 2 * Double.pi * frequency * time
            return level * (0.7 * rt_sin(angle) * rt_exp(-60 * time) + 0.3 * rt_sin(1.49 * angle) * rt_exp(-140 * time))
        }
    }

    /// A noise burst through a resonance at `frequency`, its peak at `level`; identical on every call.
    package static func noise(frequency: Double, level: Double, sampleRate: SampleRate) -> [Float] {
        let angle = 2 * Double.pi * frequency / sampleRate.hertz
        let radius = rt_exp(-angle / 4)
        let cosine = rt_sin(angle + Double.pi / 2)
        var state = SplitMix64.increment
        var first = 0.0
        var second = 0.0
        var shaped = samples(at: sampleRate) { time in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            let white = Double(Int64(bitPattern: state)) * 0x1p-63
            let resonant = white + 2 * radius * cosine * first - radius * radius * second
            second = first
            first = resonant
            return resonant * rt_exp(-60 * time)
        }
        let peak = shaped.reduce(0) { max($0, abs($1)) }
        if peak > 0 { for index in shaped.indices { shaped[index] *= Float(level) / peak } }
        return shaped
    }

    /// The factor of the fade at `time` seconds from the start of a click that lasts `length` seconds.
    package static func fade(at time: Double, length: Double = seconds) -> Double {
        max(0, min(1, (length - time) / Ramp.fadeSeconds))
    }

    private static func samples(at sampleRate: SampleRate, _ value: (Double) -> Double) -> [Float] {
        (0..<sampleRate.frames(seconds: seconds)).map { frame in
            let time = sampleRate.seconds(frames: frame)
            return Float(value(time) * fade(at: time))
        }
    }
}
