import BarlineDSP
import BarlineTestSupport
import BarlineTime
import Foundation

/// Drums of the test's own, placed at exact times: the truth that an analysis is measured against.
struct DrumMachine {
    enum Drum { case kick, snare, hat, click }

    let rate: Double
    private(set) var samples: [Float]
    private var random = TestRandom(seed: 5)

    init(seconds: Double, rate: Double = 44_100) {
        self.rate = rate
        samples = Array(repeating: 0, count: Int((seconds * rate).rounded()))
    }

    /// The frames, without rounding, that the sound is long.
    var seconds: Double { Double(samples.count) / rate }

    /// Adds a drum at `time` seconds; what rings past the end is cut off.
    mutating func play(_ drum: Drum, at time: Double, level: Float = 1) {
        let start = Int((time * rate).rounded())
        let length = Int(rate * (drum == .kick ? 0.2 : drum == .snare ? 0.15 : drum == .hat ? 0.04 : 0.02))
        for frame in 0..<length where start + frame >= 0 && start + frame < samples.count {
            let t = Double(frame) / rate
            let noise = Float(random.amplitude())
            let value: Float
            switch drum {
            case .kick: value = Float(sin(2 * .pi * (55 * t + 4 * (1 - exp(-t * 40)))) * exp(-t * 18))
            case .snare: value = (0.5 * noise + 0.4 * Float(sin(2 * .pi * 190 * t))) * Float(exp(-t * 25))
            case .hat: value = (frame % 2 == 0 ? 0.3 : -0.3) * noise * Float(exp(-t * 90))
            case .click: value = Float(sin(2 * .pi * 1000 * t) * exp(-t * 200))
            }
            samples[start + frame] += 0.5 * level * value
        }
    }

    /// Plays a bar's pattern, one character a step: `k` kick, `s` snare, `h` hi-hat, `b` kick and hi-hat, `n` snare and
    /// hi-hat, anything else a rest.
    mutating func play(_ pattern: String, from start: Double, step: Double, swing: Double = 0) {
        for (index, character) in pattern.enumerated() {
            let time = start + (Double(index) + (index % 2 == 1 ? swing : 0)) * step
            switch character {
            case "k": play(.kick, at: time)
            case "s": play(.snare, at: time)
            case "h": play(.hat, at: time)
            case "b":
                play(.kick, at: time)
                play(.hat, at: time)
            case "n":
                play(.snare, at: time)
                play(.hat, at: time)
            default: break
            }
        }
    }

    /// A loop of bars of eighths.
    static func loop(
        _ pattern: String, bpm: Double, bars: Int, rate: Double = 44_100, swing: Double = 0
    ) -> DrumMachine {
        let bar = Double(pattern.count) / 2 * 60 / bpm
        var machine = DrumMachine(seconds: bar * Double(bars), rate: rate)
        for index in 0..<bars { machine.play(pattern, from: Double(index) * bar, step: 30 / bpm, swing: swing) }
        return machine
    }

    /// So many seconds of the sound from `start` on; past its end it goes on from its beginning.
    func cut(from start: Double, seconds: Double) -> DrumMachine {
        var part = DrumMachine(seconds: seconds, rate: rate)
        let first = Int((start * rate).rounded())
        for frame in part.samples.indices { part.samples[frame] = samples[(first + frame) % samples.count] }
        return part
    }

    func buffer(gain: Float = 1, isStereo: Bool = false) -> SampleBuffer {
        let scaled = samples.map { $0 * gain }
        return SampleBuffer(
            left: scaled, right: isStereo ? scaled : nil, sampleRate: SampleRate(rate) ?? .standard)
    }
}
