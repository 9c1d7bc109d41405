import BarlineTestSupport
import Foundation

@testable import BarlineSession

/// Eight beats of drums, played at any tempo by a player, and stretched to it by a session.
struct DrumLoop {
    /// A hit and the beat on which it begins.
    struct Hit {
        let beat: Double
        let sound: [Double]
        var level = 1.0
    }

    let hits: [Hit]

    private static let beats = 8.0
    private static let tempo = 120.0
    private static let rate = 48_000.0

    /// How far from its place an attack may be heard, and how far from it is looked for it.
    private static let span = 150
    /// What is compared around an attack.
    private static let compared = -48..<400

    private static func frame(_ beat: Double, _ rate: Double) -> Int {
        Int((beat * 60 / (tempo * rate) * Self.rate).rounded())
    }

    /// The loop as it is played at `rate` of its tempo: its second turn, into which the first one rings.
    private func samples(_ rate: Double) -> [Double] {
        let count = Self.frame(Self.beats, rate)
        var samples = [Double](repeating: 0, count: count)
        for hit in hits {
            let place = Self.frame(hit.beat, rate)
            for (index, sample) in hit.sound.enumerated() { samples[(place + index) % count] += hit.level * sample }
        }
        return samples
    }

    /// The bend of a wave, in which an attack stands out of what rings on.
    private static func treble(_ samples: [Double]) -> [Double] {
        samples.indices.map { index in
            let (last, before) = (samples[max(0, index - 1)], samples[max(0, index - 2)])
            return samples[index] - 2 * last + before + 0.02 * samples[index]
        }
    }

    /// How many frames late each attack of the loop is heard where a session stretches it to `rate` of its tempo, by
    /// the attacks that it finds itself: where it correlates most with what is played at that tempo.
    func lags(rate: Double, mode: String?) async throws -> [(place: Int, lag: Int)] {
        let folder = try SessionFolder()
        let source = samples(1)
        let gain = 0.5 / source.reduce(0) { max($0, abs($1)) }
        try folder.folder.write("a.wav", WaveFile(source.map { gain * $0 }).bytes)
        let played = samples(rate)
        let mode = mode.map { #", "stretchMode": "\#($0)""# } ?? ""
        let heard = try await folder.render(
            #"{"barline": 1, "tempo": \#(Self.tempo * rate), "quantization": "none", "firstLaunch": "immediate", "#
                + #""tracks": [{"id": "t", "clips": [{"id": "a", "slot": 0, "file": "a.wav", "beats": \#(Self.beats), "#
                + #""playback": "stretch"\#(mode)}]}]}"#,
            script: #"{"frame": 0, "do": "launch", "clip": "a"}"#, frames: 2 * played.count + 2_000)
        let second = Self.treble(heard.channels[0].map { Double($0) / gain })
        let wanted = Self.treble(played)
        return Set(hits.map { Self.frame($0.beat, rate) }).sorted().map { place in
            (place, Self.lag(wanted, second, at: place, offset: played.count))
        }
    }

    /// How many frames late what `played` has at `frame` is in `heard`, of which `offset` is the first frame.
    private static func lag(_ played: [Double], _ heard: [Double], at frame: Int, offset: Int) -> Int {
        let wanted = compared.map { played[(frame + $0 + played.count) % played.count] }
        var best = (lag: Int.max, value: 0.0)
        for lag in -span...span {
            var (product, energy) = (0.0, 1e-12)
            for (index, place) in compared.enumerated() {
                let sample = heard[offset + frame + place + lag]
                product += wanted[index] * sample
                energy += sample * sample
            }
            if product / energy.squareRoot() > best.value { best = (lag, product / energy.squareRoot()) }
        }
        return best.lag
    }
}
