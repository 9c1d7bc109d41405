import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Drums at another tempo whose attacks nobody has named: they are those that analysis finds.
@Suite("Attacks of stretched drums, as they are found")
struct FoundAttackTests {
    /// A hit and the beat on which it begins.
    private struct Hit {
        let beat: Double
        let sound: Int
        let level: Double
    }

    private static let beats = 8.0
    private static let tempo = 120.0
    private static let rate = 48_000.0

    /// A kick with a click, a snare, a closed hi-hat, a tom and a cowbell.
    private static let sounds: [[Double]] = {
        var random = TestRandom(seed: 16)
        func sound(_ seconds: Double, _ wave: (Double, Double) -> Double) -> [Double] {
            (0..<Int(seconds * rate)).map { wave(Double($0) / rate, random.amplitude()) }
        }
        return [
            sound(0.25) { time, noise in
                sin(2 * .pi * (50 * time + 3 * (1 - exp(-50 * time)))) * exp(-16 * time) + 0.3 * noise
                    * exp(-900 * time)
            },
            sound(0.2) { time, noise in (0.6 * noise + 0.4 * sin(2 * .pi * 185 * time)) * exp(-24 * time) },
            sound(0.06) { time, noise in 0.4 * noise * exp(-80 * time) },
            sound(0.4) { time, noise in
                sin(2 * .pi * (110 * time + 0.6 * (1 - exp(-30 * time)))) * exp(-10 * time) + 0.2 * noise
                    * exp(-500 * time)
            },
            sound(0.15) { time, _ in
                0.5 * (sin(2 * .pi * 562 * time + 1) + sin(2 * .pi * 845 * time + 1)) * exp(-22 * time)
            },
        ]
    }()

    private static let swung: [Hit] = (0..<16).flatMap { eighth in
        let hat = Hit(
            beat: Double(eighth) / 2 + (eighth % 2 == 1 ? 1.0 / 12 : 0), sound: 2, level: eighth % 2 == 0 ? 0.7 : 0.4)
        switch eighth % 4 {
        case 0: return [hat, Hit(beat: Double(eighth) / 2, sound: 0, level: 0.7)]
        case 2: return [hat, Hit(beat: Double(eighth) / 2, sound: 1, level: 0.6)]
        default: return [hat]
        }
    }

    private static let sixteenths: [Hit] = (0..<32).map { step in
        let beat = Double(step) / 4
        switch step % 8 {
        case 0: return Hit(beat: beat, sound: 0, level: 0.7)
        case 3, 6: return Hit(beat: beat, sound: 4, level: 0.5)
        case 4: return Hit(beat: beat, sound: 1, level: 0.6)
        default: return Hit(beat: beat, sound: 2, level: 0.5)
        }
    }

    private static let toms: [Hit] = (0..<8).flatMap { beat in
        [Hit(beat: Double(beat), sound: 0, level: 0.5), Hit(beat: Double(beat) + 2.0 / 3, sound: 3, level: 0.6)]
    }

    private static func frame(_ beat: Double, _ rate: Double) -> Int {
        Int((beat * 60 / (tempo * rate) * Self.rate).rounded())
    }

    /// The loop as it is played at `rate` of its tempo: its second turn, into which the first one rings.
    private static func loop(_ hits: [Hit], _ rate: Double) -> [Double] {
        let count = frame(beats, rate)
        var samples = [Double](repeating: 0, count: count)
        for hit in hits {
            let place = frame(hit.beat, rate)
            for (index, sample) in sounds[hit.sound].enumerated() {
                samples[(place + index) % count] += hit.level * sample
            }
        }
        return samples
    }

    /// How many frames late what `played` has at `frame` is in `heard`, of which `offset` is the first frame: where
    /// they correlate most.
    private static func lag(_ played: [Double], _ heard: [Double], at frame: Int, offset: Int) -> Int {
        let span = -48..<700
        let wanted = span.map { played[(frame + $0 + played.count) % played.count] }
        var best = (lag: Int.max, value: 0.0)
        for lag in -150...150 {
            var (product, energy) = (0.0, 1e-12)
            for (index, place) in span.enumerated() {
                let sample = heard[offset + frame + place + lag]
                product += wanted[index] * sample
                energy += sample * sample
            }
            if product / energy.squareRoot() > best.value { best = (lag, product / energy.squareRoot()) }
        }
        return best.lag
    }

    @Test(
        "Each is heard within a millisecond of where it is played at that tempo", arguments: [0.7, 0.8, 1.1, 1.25],
        [nil, "beats", "complex"] as [String?])
    func found(rate: Double, mode: String?) async throws {
        for (name, hits) in [("swung", Self.swung), ("sixteenths", Self.sixteenths), ("toms", Self.toms)] {
            let folder = try SessionFolder()
            try folder.folder.write("a.wav", WaveFile(Self.loop(hits, 1)).bytes)
            let played = Self.loop(hits, rate)
            let mode = mode.map { #", "stretchMode": "\#($0)""# } ?? ""
            let heard = try await folder.render(
                #"{"barline": 1, "tempo": \#(Self.tempo * rate), "quantization": "none", "firstLaunch": "immediate", "#
                    + #""tracks": [{"id": "t", "clips": [{"id": "a", "slot": 0, "file": "a.wav", "beats": \#(Self.beats), "#
                    + #""playback": "stretch"\#(mode)}]}]}"#,
                script: #"{"frame": 0, "do": "launch", "clip": "a"}"#, frames: 2 * played.count + 2_000)
            let left = heard.channels[0].map(Double.init)
            for place in Set(hits.map { Self.frame($0.beat, rate) }).sorted() {
                let lag = Self.lag(played, left, at: place, offset: played.count)
                #expect(abs(lag) <= 48, "\(name) at \(place): \(lag)")
            }
        }
    }
}
