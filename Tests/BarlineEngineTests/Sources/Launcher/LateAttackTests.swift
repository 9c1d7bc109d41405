import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Stretched loops with an attack just before their end, and none that is known at their beginning.
@Suite("Attacks before a loop's end")
struct LateAttackTests {
    private static let length = 96_000

    /// Two seconds that begin with a hit, and end with one so many frames before the end.
    private static func sound(_ distance: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: length)
        for (index, hit) in [0, 24_000, 48_000, 72_000, length - distance].enumerated() {
            var random = TestRandom(seed: UInt64(index + 1))
            for offset in 0..<min(2_000, length - hit) {
                let fade = 1 - Double(offset) / Double(min(2_000, length - hit))
                samples[hit + offset] += Float(random.double(-0.8...0.8) * exp(-Double(offset) / 150) * fade)
            }
        }
        return samples
    }

    private static func render(_ distance: Int, _ mode: StretchMode, tempo: Double, turns: Double) throws -> [Float] {
        let engine = Engine(EngineConfiguration(tempo: Tempo(clamping: tempo), firstLaunch: .immediate))
        let clip = try engine.launcher.load(
            SampleBuffer(left: sound(distance), sampleRate: .standard),
            settings: ClipSettings(
                track: 0, beats: 4, playback: .stretch, stretchMode: mode,
                onsets: [24_000, 48_000, 72_000, length - distance]))
        let frames = Int(turns * 4 * 60 / tempo * 48_000)
        let recorder = Recorder(engine, frames: frames)
        try engine.launcher.launch(clip)
        recorder.render(frames)
        return Array(recorder.left())
    }

    @Test(
        "At its own tempo every turn after the first is the file", arguments: [600, 1_100, 1_500, 1_900, 3_000],
        [StretchMode.beats, .complex, .tonal])
    func copy(distance: Int, mode: StretchMode) throws {
        let sound = Self.sound(distance)
        let output = try Self.render(distance, mode, tempo: 120, turns: 3)
        for turn in 1...2 {
            // The last 5 ms may lead to the beginning.
            let differs = (0..<Self.length - 240).filter { output[turn * Self.length + $0] != sound[$0] }
            #expect(differs.isEmpty, "turn \(turn + 1): \(differs.count) frames")
        }
    }

    @Test(
        "At other tempos the beginning is heard on its frame", arguments: [84.0, 110, 125, 160],
        [StretchMode.beats, .complex])
    func beginning(tempo: Double, mode: StretchMode) throws {
        let output = try Self.render(1_500, mode, tempo: tempo, turns: 3.5)
        for turn in 1...3 {
            let due = Int((Double(turn) * 240 / tempo * 48_000).rounded())
            let near = (due - 400..<due + 800).map { abs(output[$0]) }
            let peak = near.max() ?? 0
            let first = near.firstIndex { $0 > peak / 2 } ?? 0
            #expect(abs(first - 400) <= 4, "turn \(turn + 1) is \(first - 400) frames late")
        }
    }
}
