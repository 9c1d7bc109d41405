import Barline
import BarlineTestSupport
import Foundation
import Testing

/// The programs in `Examples/`, run offline: what they render is what they say.
@Suite("Examples", .timeLimit(.minutes(10)))
struct ExampleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ example: String, _ arguments: [String]) throws -> (lines: [String], sound: SampleBuffer) {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let path = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(example).path
        let outcome = try Program.run(path, arguments, in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        return (lines, try AudioClip(path: folder.path("out.wav")).samples)
    }

    /// A file whose samples are all `level`.
    private func file(_ name: String, _ level: Float, frames: Int) throws {
        let samples = [Float](repeating: level, count: frames)
        let file = try AudioFileWriter(path: folder.path(name), sampleRate: .standard, format: .float32)
        try file.write(left: samples, right: samples, frames: frames)
        try file.finish()
    }

    @Test("The launcher's loops start on bar lines and follow the tempo")
    func launcher() throws {
        try file("drums_120bpm.wav", 0.25, frames: 96_000)
        try file("bass_90bpm.wav", 0.5, frames: 128_000)
        let (lines, sound) = try run("LauncherExample", ["--output", "out.wav", "drums_120bpm.wav", "bass_90bpm.wav"])
        #expect(lines.first == "track 1 starts on beat 0.0, frame 96000")
        #expect(lines[1] == "track 2 starts on beat 4.0, frame 192000")
        #expect(lines.count == 4 && lines[3].hasPrefix("track 2 stops"))
        #expect(abs(sound.left[150_000] - 0.25) < 1e-3)
        #expect(abs(sound.left[250_000] - 0.25 - 0.5 * Float(Decibels(-6).amplitude)) < 1e-3)
        #expect(sound.left[sound.frameCount - 1] == 0)
    }

    @Test("The playlist's second file is another one in time, without a gap")
    func playlist() throws {
        try file("one.wav", 0.25, frames: 40_000)
        try file("two.wav", 0.5, frames: 40_000)
        try file("three.wav", 0.75, frames: 30_000)
        let (lines, sound) = try run("PlaylistExample", ["--output", "out.wav", "one.wav", "two.wav", "three.wav"])
        #expect(
            lines == [
                "0: one.wav begins", "40000: one.wav ends", "40000: three.wav begins", "70000: three.wav ends",
                "70000: the list ends",
            ])
        let expected = [Float](repeating: 0.25, count: 40_000) + [Float](repeating: 0.75, count: 30_000)
        #expect(expected.indices.allSatisfy { abs(sound.left[$0] - expected[$0]) < 1e-4 })
    }

    @Test("The multitrack's faders are heard as they read")
    func multitrack() throws {
        try file("a.wav", 0.25, frames: 96_000)
        try file("b.wav", 0.5, frames: 96_000)
        let (lines, sound) = try run("MultitrackExample", ["--output", "out.wav", "a.wav", "b.wav"])
        #expect(lines == ["2 stems of 2.0 s", "stem 1: 0.0 dB", "stem 2: -3.0 dB"])
        let quiet = 0.5 * Float(Decibels(-3).amplitude)
        #expect(abs(sound.left[12_000] - 0.25 - quiet) < 1e-3)
        #expect(abs(sound.left[36_000] - quiet) < 1e-3)
        #expect(abs(sound.left[60_000] - 0.25 - quiet) < 1e-3)
        // Half a second, half a second, and the second half of two.
        let end = (0..<sound.frameCount).last { sound.left[$0] != 0 } ?? 0
        #expect(abs(end - 96_000) < 1_000)
    }

    @Test("The metronome counts in, accents three groups and gets faster")
    func metronome() throws {
        let (lines, sound) = try run("MetronomeExample", ["--output", "out.wav"])
        // A bar of seven eighths at 150 BPM takes 67 200 frames.
        #expect(
            lines.prefix(3) == [
                "bar -1, pulse 1: frame 0", "bar 0, pulse 1: frame 67200", "bar 1, pulse 1: frame 134400",
            ])
        let bars = lines.filter { $0.contains("pulse 1:") }.compactMap { Int($0.split(separator: " ").last ?? "") }
        let steps = zip(bars, bars.dropFirst()).map { $1 - $0 }
        #expect(
            steps.first == 67_200 && (steps.last ?? 0) < 60_000 && zip(steps, steps.dropFirst()).allSatisfy { $0 >= $1 }
        )
        #expect((134_400..<136_000).contains { abs(sound.left[$0]) > 0.05 })
    }

    @Test("The looper's layers begin on their bars, and it ends in silence")
    func looper() throws {
        let (lines, sound) = try run("LooperExample", ["out.wav"])
        #expect(lines.count == 1 && lines[0].hasSuffix("160.0 BPM at the end"))
        func loudest(_ range: Range<Int>) -> Float { range.map { abs(sound.left[$0]) }.max() ?? 0 }
        #expect(loudest(0..<96_000) > 0.2 && loudest(0..<96_000) <= 0.25)
        #expect(loudest(192_100..<240_000) > 0.3 && loudest(384_100..<400_000) > 0.45)
        #expect(loudest(960_400..<sound.frameCount) == 0)
    }
}
