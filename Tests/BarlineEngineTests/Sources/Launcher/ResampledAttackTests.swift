import BarlineDSP
import BarlineTime
import Foundation
import Testing

@testable import BarlineEngine

/// Attacks of clips that are stretched after they were resampled: for another sample rate, or another pitch.
@Suite("Attacks of resampled clips")
struct ResampledAttackTests {
    private static let seconds = [0, 0.5, 1, 1.5]

    private func hits(_ rate: Double) -> [Int] { Self.seconds.map { Int($0 * rate) + 7 } }

    /// Two seconds with four attacks, at any sample rate.
    private func sound(_ rate: Double) -> SampleBuffer {
        var samples = [Float](repeating: 0, count: Int(2 * rate))
        for (index, hit) in hits(rate).enumerated() {
            var random = TestRandom(seed: UInt64(index + 1))
            for offset in 0..<Int(0.1 * rate) {
                samples[hit + offset] = Float(random.double(-0.8...0.8) * exp(-Double(offset) / rate * 150))
            }
        }
        return SampleBuffer(left: samples, sampleRate: SampleRate(rate) ?? .standard)
    }

    /// The output of a second turn at `tempo`, of a loop of four beats at 120 BPM, and the frame on which that begins.
    private func render(
        _ rate: Double, _ transposition: Double, _ mode: StretchMode, tempo: Double
    ) throws -> (output: [Float], turn: Double) {
        let engine = Engine(EngineConfiguration(tempo: Tempo(clamping: tempo), firstLaunch: .immediate))
        let clip = try engine.launcher.load(
            sound(rate),
            settings: ClipSettings(
                track: 0, beats: 4, playback: .stretch, transposition: transposition, stretchMode: mode,
                onsets: hits(rate)))
        let turn = 4 * 60 / tempo * 48_000
        let recorder = Recorder(engine, frames: Int(2 * turn))
        defer { withExtendedLifetime(recorder) {} }
        try engine.launcher.launch(clip)
        recorder.render(Int(2 * turn))
        return (Array(recorder.left()), turn)
    }

    @Test(
        "They are on their frames, and nothing of them is heard before",
        arguments: [(44_100, 0), (96_000, 0), (48_000, 7), (48_000, -12), (48_000, 0.37)], [84.0, 96, 150])
    func attacks(clip: (rate: Double, transposition: Double), tempo: Double) throws {
        for mode in [StretchMode.beats, .complex] {
            let (output, turn) = try render(clip.rate, clip.transposition, mode, tempo: tempo)
            // At its own tempo the very sound of an attack is heard, which the others are compared with.
            let (plain, plainTurn) = try render(clip.rate, clip.transposition, mode, tempo: 120)
            for (index, hit) in hits(clip.rate).enumerated() where index > 0 {
                let beat = Double(hit) / (2 * clip.rate) * 4
                let due = turn * (1 + beat / 4)
                let reference = Int((plainTurn * (1 + beat / 4)).rounded())
                let lag = lag(output, Int(due.rounded()), plain, reference)
                #expect(abs(Double(Int(due.rounded()) + lag) - due) <= 1.5, "\(mode), attack \(index)")
                let first = Int(due.rounded())
                func peak(_ range: Range<Int>) -> Float { output[range].reduce(0) { max($0, abs($1)) } }
                let before = 20 * log10(Double(peak(first - 960..<first - 96) / peak(first..<first + 300)) + 1e-12)
                #expect(before < -60, "\(mode), attack \(index)")
            }
        }
    }

    /// By how many frames the attack of `plain` at `reference` comes after `frame`.
    private func lag(_ output: [Float], _ frame: Int, _ plain: [Float], _ reference: Int) -> Int {
        func product(_ lag: Int) -> Float {
            (0..<400).reduce(0) { $0 + output[frame + lag + $1] * plain[reference + $1] }
        }
        return (-40...40).max { product($0) < product($1) } ?? .max
    }
}
