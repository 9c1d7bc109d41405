import BarlineTestSupport
import Foundation
import Testing

/// `barline stems`.
@Suite("barline stems")
struct StemsTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (index, name) in ["one", "two"].enumerated() {
            var random = TestRandom(seed: UInt64(index))
            try folder.write("\(name).wav", WaveFile((0..<24_000).map { _ in 0.25 * random.amplitude() }).bytes)
        }
        return folder
    }

    @Test("Files are mixed to the last bit, from half a millisecond on")
    func mix() throws {
        let folder = try folder()
        let files = ["one.wav", "two.wav"].map(folder.path)
        let outcome = try Barline.run(
            ["stems"] + files + ["--output", folder.path("mix.wav"), "--stems-out", folder.path("apart")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sources = try files.map { try WaveContents(path: $0).channels[0] }
        let mix = try WaveContents(path: folder.path("mix.wav"))
        let sum = zip(sources[0], sources[1]).map { $0 + $1 }
        // Noise begins with a step: it comes in over half a millisecond.
        let soft = (0..<24).map { sum[$0] * Float($0) / 24 }
        for channel in mix.channels {
            #expect(zip(channel, soft).allSatisfy { abs($0 - $1) < 1e-6 })
            #expect(channel[24...] == sum[24...])
        }
        let apart = try WaveContents(path: folder.path("apart/stem-two.wav")).channels[0]
        #expect(apart[24...] == sources[1][24...])
    }

    @Test("More stems are played than a shell allows files to what does not ask for more")
    func manyFiles() throws {
        let folder = try TemporaryFolder()
        let one = WaveFile([Double](repeating: 1.0 / 256, count: 48_000)).bytes
        let files = (1...100).map { folder.path("\($0).wav") }
        for file in files { try folder.write(URL(fileURLWithPath: file).lastPathComponent, one) }
        let outcome = try Program.run(
            "sh",
            ["-c", "ulimit -S -n 64; exec \"$@\"", "sh", Barline.path, "stems"] + files
                + ["--output", folder.path("mix.wav"), "--limiter", "off"],
            environment: Barline.environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        let mix = try WaveContents(path: folder.path("mix.wav")).channels[0]
        #expect(mix[100...].allSatisfy { abs($0 - 100.0 / 256) < 1e-6 })
    }

    @Test("Start, loop, gain and duration are as asked for")
    func options() throws {
        let folder = try folder()
        let outcome = try Barline.run([
            "stems", folder.path("one.wav"), "--output", folder.path("mix.wav"), "--start", "0.1", "--loop", "0-0.2",
            "--duration", "1", "--gain", "-20", "--events", folder.path("events.jsonl"), "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let mix = try WaveContents(path: folder.path("mix.wav"))
        let source = try WaveContents(path: folder.path("one.wav")).channels[0]
        #expect(mix.frameCount == 48_000)
        let events = try folder.text("events.jsonl")
        #expect(events.split(separator: "\n").filter { $0.contains("stemsLooped") }.count == 5)
        for frame in 300..<4_800 { #expect(abs(mix.channels[0][frame] - 0.1 * source[4_800 + frame]) < 1e-6) }
        for frame in 5_100..<14_400 { #expect(abs(mix.channels[0][frame] - 0.1 * source[frame - 4_800]) < 1e-6) }
    }

    @Test("Live, it ends with the stems; actions come from standard input")
    func live() throws {
        let folder = try folder()
        let outcome = try Barline.run(
            ["stems", folder.path("one.wav"), folder.path("two.wav"), "--backend", "null", "--json"],
            input: #"{"do": "mute", "stem": "two", "on": true}"# + "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(#""event":"stemsStarted""#))
        #expect(outcome.output.contains(#"{"event":"stemsEnded","frame":24000}"#), "\(outcome.output)")
    }

    @Test(
        "Wrong usage is reported as such",
        arguments: [
            [], ["a.wav", "--loop", "3"], ["a.wav", "--loop", "3-3.01"], ["a.wav", "--start", "-1"],
            ["a.wav", "--stems-out", "x"], ["a.wav", "--output", "x.wav", "--loop", "0-1"],
            ["a.wav", "--gain", "0", "--gain", "0"], ["a.wav", "--duration", "0"],
        ])
    func usage(arguments: [String]) throws {
        #expect(try Barline.run(["stems"] + arguments).status == 64)
    }

    @Test("A loop behind the end of the stems is refused, and so is a start there")
    func beyond() throws {
        let folder = try folder()
        let command = ["stems", folder.path("one.wav"), "--duration", "1", "--output", folder.path("mix.wav")]
        for option in [["--loop", "6-7"], ["--start", "9"]] {
            let outcome = try Barline.run(command + option)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("\(option[0]) is beyond the end of the stems"), "\(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("mix.wav")))
    }

    @Test("A file that is none is named")
    func missing() throws {
        let outcome = try Barline.run(["stems", "none.wav", "--backend", "null"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("barline: none.wav: can't be opened"))
    }
}
