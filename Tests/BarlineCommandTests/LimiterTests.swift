import BarlineTestSupport
import Foundation
import Testing

/// `--limiter`, and what is told of samples over full scale.
@Suite("The limiter from the command line")
struct LimiterTests {
    static let ceiling: Float = 0.891_251

    /// A file with single peaks at frames 1000 (0.5), `over` (each value from `values`), and quiet noise.
    private func folder(_ over: [(frame: Int, value: Double)]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        var random = TestRandom(seed: 3)
        var samples = (0..<48_000).map { _ in 0.2 * random.amplitude() }
        samples[1_000] = 0.5
        for peak in over { samples[peak.frame] = peak.value }
        try folder.write("a.wav", WaveFile(samples).bytes)
        return folder
    }

    private func stems(_ folder: TemporaryFolder, _ name: String, _ arguments: [String] = []) throws -> Program.Outcome
    {
        let outcome = try Barline.run(["stems", folder.path("a.wav"), "--output", folder.path(name)] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    @Test("What is below the ceiling is on the same frames with the limiter as without, bit for bit, and as long")
    func aligned() throws {
        let folder = try folder([])
        for (block, name) in [("1024", "on.wav"), ("77", "small.wav")] {
            _ = try stems(
                folder, name,
                [
                    "--limiter", "on", "--block-size", block, "--events", folder.path("\(name).jsonl"), "--stems-out",
                    folder.path(name + ".d"),
                ])
        }
        _ = try stems(folder, "off.wav", ["--events", folder.path("off.jsonl")])
        let off = try WaveContents(path: folder.path("off.wav"))
        for name in ["on.wav", "small.wav", "on.wav.d/bus-main.wav", "on.wav.d/stem-a.wav"] {
            let on = try WaveContents(path: folder.path(name))
            #expect(on.frameCount == 48_000 && on.channels == off.channels, "\(name)")
        }
        #expect(off.channels[0][1_000] == 0.5)
        #expect(try folder.text("on.wav.jsonl") == folder.text("off.jsonl"))
    }

    @Test("Peaks are on their frames, at the ceiling, in every kind of integer file, and nothing is warned of")
    func limited() throws {
        let folder = try folder([(20_000, 3), (20_001, -2.5), (40_000, 1.2)])
        for (name, arguments) in [
            ("out.wav", ["--format", "s16"]), ("out24.wav", ["--format", "s24"]), ("f.wav", ["--limiter", "on"]),
        ] {
            let outcome = try stems(folder, name, arguments + ["--json"])
            #expect(outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(try JSONLines.objects(outcome.output).first?.integer("overs") == 0)
            let contents = try WaveContents(path: folder.path(name))
            let scale: Float = contents.formatTag == 3 ? 1 : Float(1 << (contents.bits - 1))
            let samples = contents.channels[0].map { $0 / scale }
            #expect(contents.frameCount == 48_000)
            let highest = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) }
            #expect(highest == 20_000 || highest == 40_000)
            #expect(abs(samples[20_000]) > 0.8 && samples.allSatisfy { abs($0) <= LimiterTests.ceiling })
        }
    }

    @Test(
        "Without it, a warning says how many samples are over full scale, where, and how far",
        arguments: ["s16", "s24", "f32"])
    func overs(format: String) throws {
        let folder = try folder([(20_000, 3), (20_001, -2.5), (40_000, 1.2), (41_000, 1)])
        let outcome = try stems(
            folder, "out.wav", ["--format", format, "--limiter", "off", "--json", "--stems-out", folder.path("apart")])
        // Three on either side; full scale itself is none.
        let report = try #require(try JSONLines.objects(outcome.output).first)
        #expect(report.integer("overs") == 6)
        let files = try #require(report["oversByFile"] as? [[String: Any]])
        #expect(
            files.map { $0.text("file") } == ["out.wav", "apart/bus-main.wav", "apart/stem-a.wav"].map(folder.path))
        for file in files {
            #expect(file.integer("overs") == 6 && file.integer("frame") == 20_000)
            #expect(abs((file.number("peak") ?? 0) - 20 * log10(3)) < 0.01)
        }
        let warning = outcome.errors.split(separator: "\n").first ?? ""
        #expect(warning.hasPrefix("barline: \(folder.path("out.wav")): 6 samples are over full scale"))
        #expect(warning.contains("0.417 s (frame 20000)") && warning.contains("+9.5 dBFS"))
        #expect(warning.contains(format == "f32" ? "will be cut off" : "and cut off"))
    }

    @Test("A float file is left as it is; a session may turn the limiter off for integer files, and set its ceiling")
    func defaults() throws {
        let folder = try folder([(20_000, 3)])
        #expect(try stems(folder, "float.wav").errors.contains("2 samples are over full scale"))
        #expect(try WaveContents(path: folder.path("float.wav")).channels[0][20_000] == 3)
        try folder.write("script.jsonl", #"{"at": 0, "do": "stems", "action": "play"}"#)
        func peak(_ master: String, _ arguments: [String] = []) throws -> Float {
            try folder.write(
                "set.barline", #"{"barline": 1, "master": \#(master), "stems": [{"id": "a", "file": "a.wav"}]}"#)
            let outcome = try Barline.run(
                ["render", folder.path("set.barline"), "--script", folder.path("script.jsonl"), "--duration", "1"]
                    + ["--output", folder.path("set.wav"), "--format", "s24"] + arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try WaveContents(path: folder.path("set.wav")).channels[0].map { abs($0) / 8_388_608 }.max() ?? 0
        }
        #expect(try peak("{}") <= LimiterTests.ceiling)
        #expect(try peak(#"{"limiter": false}"#) > 0.999)
        #expect(try peak(#"{"limiter": false, "ceiling": -12}"#, ["--limiter", "on"]) <= 0.2512)
        #expect(try peak(#"{"ceiling": -6}"#) <= 0.5012)
    }

    @Test("A playlist is limited like the rest, and ends where it ends")
    func playlist() throws {
        let folder = try folder([(20_000, 3), (47_999, 0.4)])
        func play(_ name: String, _ arguments: [String]) throws -> (WaveContents, Program.Outcome) {
            let outcome = try Barline.run(
                ["play", folder.path("a.wav"), "--output", folder.path(name), "--events", folder.path(name + ".jsonl")]
                    + arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return (try WaveContents(path: folder.path(name)), outcome)
        }
        let (on, told) = try play("on.wav", ["--limiter", "on", "--json"])
        let (off, warned) = try play("off.wav", ["--limiter", "off", "--json"])
        #expect(on.frameCount == 48_000 && off.frameCount == 48_000)
        #expect(on.channels[0][..<19_000] == off.channels[0][..<19_000])
        #expect(on.channels[0].allSatisfy { abs($0) <= LimiterTests.ceiling } && on.channels[0][47_999] > 0.2)
        #expect(try folder.text("on.wav.jsonl") == folder.text("off.wav.jsonl"))
        #expect(try folder.text("on.wav.jsonl").contains("playlistEnded"))
        #expect(try JSONLines.objects(told.output).first?.integer("overs") == 0 && told.errors.isEmpty)
        #expect(try JSONLines.objects(warned.output).first?.integer("overs") == 2)
        #expect(warned.errors.contains("2 samples are over full scale"))
    }

    @Test("Live, the latency that is reported has the limiter's in it")
    func latency() throws {
        let folder = try folder([])
        let outcome = try Barline.run(["stems", folder.path("a.wav"), "--backend", "null", "--json"])
        let output = try #require(try JSONLines.objects(outcome.output).first)
        #expect(abs((output.number("latency") ?? 0) - 512.0 / 48_000 - 0.003) < 1e-9)
    }

    @Test("Live without the limiter, what was over full scale is reported at the end")
    func liveOvers() throws {
        let folder = try folder([(20_000, 3)])
        func play(_ limiter: String) throws -> String {
            try Barline.run(["stems", folder.path("a.wav"), "--backend", "null", "--limiter", limiter]).errors
        }
        #expect(try play("off").contains(#"output "main": 2 samples were over full scale, the highest at +9.5 dBFS"#))
        #expect(try !play("on").contains("over full scale"))
    }

    @Test("Anything but on and off is wrong usage")
    func usage() throws {
        for command in ["stems", "play"] {
            #expect(try Barline.run([command, "a.wav", "--limiter", "loud"]).status == 64)
        }
    }

    /// Recorded loops at 0 dB, from Debian's package sonic-pi-samples.
    @Test(
        "Four recorded loops that reach far over full scale have no true peak above the ceiling, as libebur128 measures"
    )
    func recordedLoops() throws {
        let folder = try TemporaryFolder()
        let loops = ["amen", "breakbeat", "compus", "mika"]
        let tracks = loops.map { name in
            """
            {"id": "\(name)", "clips": [{"id": "\(name)", "file": "/usr/share/sonic-pi/samples/loop_\(name).flac"}]}
            """
        }
        try folder.write(
            "set.barline",
            #"{"barline": 1, "launchQuantization": "none", "tracks": [\#(tracks.joined(separator: ","))]}"#)
        try folder.write(
            "script.jsonl", loops.map { #"{"at": 0, "do": "launch", "clip": "\#($0)"}"# }.joined(separator: "\n"))
        func render(_ name: String, _ arguments: [String]) throws -> Program.Outcome {
            try Barline.run(
                ["render", folder.path("set.barline"), "--script", folder.path("script.jsonl"), "--duration", "16"]
                    + ["--output", folder.path(name), "--json"] + arguments)
        }
        func truePeak(_ name: String) throws -> Double? {
            let outcome = try Barline.run(["analyze", folder.path(name), "--json"])
            let loudness = try JSONLines.objects(outcome.output).first?["loudness"] as? [String: Any]
            return loudness?.number("truePeak")
        }
        let plain = try render("plain.wav", [])
        let samples = try WaveContents(path: folder.path("plain.wav")).channels
        let overs = samples.reduce(0) { $0 + $1.reduce(0) { $0 + (abs($1) > 1 ? 1 : 0) } }
        #expect(overs > 1_000)
        #expect(try JSONLines.objects(plain.output).first?.integer("overs") == overs)
        #expect(try #require(try truePeak("plain.wav")) > 3)
        for (name, format) in [("limited.flac", "s24"), ("limited.wav", "s16")] {
            let limited = try render(name, ["--format", format])
            #expect(try JSONLines.objects(limited.output).first?.integer("overs") == 0)
            let peak = try #require(try truePeak(name))
            print("limiter: four loops from \(try truePeak("plain.wav") ?? 0) to \(peak) dBTP in \(name)")
            #expect(peak <= -1 && peak > -1.6)
        }
    }
}
