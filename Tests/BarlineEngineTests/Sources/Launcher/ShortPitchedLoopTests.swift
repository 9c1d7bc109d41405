import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Short loops whose pitch is moved: what is sampled of them is shorter than a grain, what is heard of them is not.
@Suite("Short loops at another pitch")
struct ShortPitchedLoopTests {
    /// A loop of a beat, and by how much it is transposed.
    struct Loop: CustomStringConvertible {
        let frames: Int
        let semitones: Double
        let mode: StretchMode
        var description: String { "\(frames) frames at \(semitones), \(mode)" }
        var tempo: Double { 60 * 48_000 / Double(frames) }
        /// A hit on each third of the beat.
        var hits: [Int] { (0..<3).map { $0 * frames / 3 } }
    }

    private static let loops = [(24_000, 24.0), (24_000, 12), (16_000, 12), (9_600, 5), (12_000, -5), (12_000, 19)]
        .flatMap { frames, semitones in
            [StretchMode.beats, .complex].map { Loop(frames: frames, semitones: semitones, mode: $0) }
        }

    private static func render(_ loop: Loop, rate: Double, turns: Double) throws -> [Float] {
        var samples = [Float](repeating: 0, count: loop.frames)
        for (index, hit) in loop.hits.enumerated() {
            var random = TestRandom(seed: UInt64(index + 1))
            for offset in 0..<2_000 {
                let fade = 1 - Double(offset) / 2_000
                samples[hit + offset] += Float(random.double(-0.8...0.8) * exp(-Double(offset) / 300) * fade)
            }
        }
        let engine = Engine(
            EngineConfiguration(tempo: Tempo(clamping: loop.tempo * rate), firstLaunch: .immediate))
        let clip = try engine.launcher.load(
            SampleBuffer(left: samples, sampleRate: .standard),
            settings: ClipSettings(
                track: 0, beats: 1, playback: .stretch, transposition: loop.semitones, stretchMode: loop.mode,
                onsets: loop.hits))
        let frames = Int(turns * Double(loop.frames) / rate)
        let recorder = Recorder(engine, frames: frames)
        try engine.launcher.launch(clip)
        recorder.render(frames)
        return Array(recorder.left())
    }

    @Test("Every attack is heard on its frame in every turn", arguments: loops, [0.85, 1, 1.2])
    func attacks(loop: Loop, rate: Double) throws {
        let output = try Self.render(loop, rate: rate, turns: 4.5)
        for turn in 0..<4 {
            for (index, hit) in loop.hits.enumerated() where turn + index > 0 {
                let due = Int(((Double(turn * loop.frames) + Double(hit)) / rate).rounded())
                let near = (due - 600..<due + 600).map { abs(output[$0]) }
                let peak = near.max() ?? 0
                let first = near.firstIndex { $0 > peak / 2 } ?? 0
                // Grains that hold several hits have some of each before the others.
                #expect(
                    peak > 0.1 && abs(first - 600) <= (loop.mode == .beats ? 12 : 36),
                    "turn \(turn + 1), hit \(index + 1): \(first - 600), \(peak)")
            }
        }
    }

    @Test("Every turn after the first is the same", arguments: loops)
    func turns(loop: Loop) throws {
        let output = try Self.render(loop, rate: 1, turns: 5)
        for turn in 2..<5 {
            let differs = (0..<loop.frames).filter { output[turn * loop.frames + $0] != output[loop.frames + $0] }
            #expect(differs.isEmpty, "turn \(turn + 1): \(differs.count) frames")
        }
    }
}
