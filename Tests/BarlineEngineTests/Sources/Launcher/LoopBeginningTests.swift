import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Stretched loops that begin with an attack off zero, after silence: what is blended into their end to lead up to it is
/// heard for the fade of an attack and no longer.
@Suite("Beginnings of stretched loops")
struct LoopBeginningTests {
    private static let frames = 96_000
    private static let hits = [0, 24_000, 48_000, 72_000]

    /// Hits that begin at their peak, and silence from a quarter of a second after each.
    private static func loop(_ hertz: Double) -> [Float] {
        var samples = [Float](repeating: 0, count: frames)
        for hit in hits {
            for offset in 0..<12_000 {
                let time = Double(offset) / 48_000
                let fade = min(1, Double(12_000 - offset) / 2_000)
                samples[hit + offset] = Float(0.8 * fade * exp(-20 * time) * cos(2 * .pi * hertz * time))
            }
        }
        return samples
    }

    private static func render(
        _ hertz: Double, rate: Double, _ mode: StretchMode, kept: Double = 0.6, semitones: Double = 0
    ) throws -> [Float] {
        let engine = Engine(EngineConfiguration(tempo: Tempo(clamping: 120 * rate), firstLaunch: .immediate))
        let clip = try engine.launcher.load(
            SampleBuffer(left: loop(hertz), sampleRate: .standard),
            settings: ClipSettings(
                track: 0, beats: 4, playback: .stretch, transposition: semitones, stretchMode: mode,
                stretch: StretchParameters(kept: kept), onsets: hits))
        let count = Int(3.2 * Double(frames) / rate)
        let recorder = Recorder(engine, frames: count)
        try engine.launcher.launch(clip)
        recorder.render(count)
        return Array(recorder.left())
    }

    private static func check(_ output: [Float], _ hertz: Double, rate: Double, fade length: Int = 100) {
        for turn in 1...3 {
            let downbeat = Int((Double(turn * frames) / rate).rounded())
            let before = output[downbeat - 2_400..<downbeat - length].map(abs).max() ?? 1
            #expect(before < 0.0008, "turn \(turn): \(20 * log10(before / 0.8)) dB")
            let fade = output[downbeat - length...downbeat + 4]
            let steps = zip(fade, fade.dropFirst()).map { abs($0 - $1) }.max() ?? 1
            // A fade of half a millisecond at least, and the tone itself; it would be 0.8 at once without.
            #expect(steps < Float(0.8 * (1.0 / 24 + 2 * .pi * hertz / 48_000)), "turn \(turn): a step of \(steps)")
        }
    }

    @Test(
        "Before their downbeats it is quiet up to 2 ms before, and there is no step",
        arguments: [60.0, 220, 1_000], [0.7, 0.83, 1, 1.2])
    func quiet(hertz: Double, rate: Double) throws {
        for mode in [StretchMode.beats, .complex] {
            Self.check(try Self.render(hertz, rate: rate, mode), hertz, rate: rate, fade: rate == 1 ? 240 : 100)
        }
    }

    @Test("So it is where gaps are left between slices, and where they are transposed", arguments: [0.7, 0.83, 1.2])
    func others(rate: Double) throws {
        Self.check(try Self.render(220, rate: rate, .beats, kept: 1), 220, rate: rate)
        // What was resampled rings for half a millisecond before.
        Self.check(try Self.render(220, rate: rate, .complex, semitones: 5), 294, rate: rate, fade: 140)
    }
}
