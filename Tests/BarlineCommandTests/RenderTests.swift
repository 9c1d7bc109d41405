import BarlineTestSupport
import Foundation
import Testing

/// `barline render`.
@Suite("Rendering from the command line")
struct RenderTests {
    @Test("A script comes from a file, from standard input or through a pipe", arguments: ["render", "metronome"])
    func pipedScript(command: String) throws {
        let set = try SmallSet()
        let lines =
            command == "render"
            ? #"{"at": 0, "do": "launchScene", "scene": 0}"# : #"{"at": 0.3, "do": "tempo", "bpm": 90}"#
        let script = try set.folder.write("script.jsonl", Array(lines.utf8))
        let start = command == "render" ? "render \(set.session) --script" : "metronome --bpm 133 --tempo-map"
        func sound(_ arguments: String) throws -> [UInt8] {
            let output = set.folder.path("o.wav")
            let line = "\(Barline.path) \(start) \(arguments) --output \(output) --duration 1"
            let outcome = try Program.run("bash", ["-c", line], environment: Barline.environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try set.folder.bytes("o.wav")
        }
        let expected = try sound(script)
        for way in ["- < \(script)", "<(cat \(script))", "/dev/stdin < <(cat \(script))"] {
            #expect(try (sound(way) == expected) as Bool, "\(way)")
        }
        let wrong = "echo nonsense | \(Barline.path) \(start) - --output \(set.folder.path("p.wav")) --duration 1"
        let outcome = try Program.run("bash", ["-c", wrong], environment: Barline.environment)
        #expect(outcome.status == 1 && outcome.errors == "barline: standard input: line 1: is not valid JSON\n")
    }

    @Test("A render is as long as asked for, in 32-bit float at 48 kHz, and says so")
    func defaults() throws {
        let set = try SmallSet()
        let outcome = try Barline.run(set.render("out.wav", seconds: 3.5))
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty, "no progress bar where there is no terminal")
        #expect(outcome.output.hasPrefix("\(set.folder.path("out.wav")): 168000 frames"))
        let contents = try set.contents("out.wav")
        #expect(contents.frameCount == 168_000 && contents.channelCount == 2)
        #expect(contents.sampleRate == 48_000 && contents.bits == 32 && contents.formatTag == 3)
        #expect(contents.channels[0][..<95_760].allSatisfy { $0 == 0 })
        #expect(contents.channels[0][96_000] != 0)
        #expect(try set.folder.names() == ["a.wav", "b.wav", "out.wav", "script.jsonl", "set.barline"])
    }

    @Test("The report is JSON where that is asked for")
    func json() throws {
        let set = try SmallSet()
        let outcome = try Barline.run(set.render("out.wav", seconds: 1, ["--json"]))
        let report = try #require(try JSONLines.objects(outcome.output).first)
        #expect(report.text("file") == set.folder.path("out.wav"))
        #expect(report.integer("frames") == 48_000)
        #expect(report.number("sampleRate") == 48_000 && report.number("duration") == 1)
    }

    @Test(
        "Formats and rates are those asked for",
        arguments: [("f32", 32, 44_100), ("s24", 24, 96_000), ("s16", 16, 8000)])
    func formats(format: String, bits: Int, rate: Int) throws {
        let set = try SmallSet()
        let arguments = set.render("out.wav", seconds: 2.5, ["--format", format, "--sample-rate", "\(rate)"])
        #expect(try Barline.run(arguments).status == 0)
        let contents = try set.contents("out.wav")
        #expect(contents.bits == bits && contents.sampleRate == rate)
        #expect(contents.frameCount == rate * 5 / 2)
        // The clip starts after a bar of 2 s: before the 5 ms that lead up to it there is nothing but the dither.
        let scale: Float = bits == 32 ? 1 : Float(1 << (bits - 1))
        let before = contents.channels[0][..<(2 * rate - rate / 200 - 1)].reduce(0) { max($0, abs($1)) }
        #expect(before <= (bits == 32 ? 0 : 1))
        let after = contents.channels[0][(2 * rate)...].reduce(0) { max($0, abs($1)) } / scale
        #expect(after > 0.2 && after < 0.9)
    }

    @Test("The best quality is another reading of the same frames: it differs, far below what is heard")
    func quality() throws {
        let set = try SmallSet(script: #"{"at": 0, "do": "launch", "clip": "b"}"#)
        func render(_ name: String, _ more: [String]) throws -> [Float] {
            #expect(try Barline.run(set.render(name, seconds: 4, ["--sample-rate", "44100"] + more)).status == 0)
            return try set.contents(name).channels[0]
        }
        let plain = try render("plain.wav", [])
        #expect(try render("live.wav", ["--quality", "live"]) == plain)
        let best = try render("best.wav", ["--quality", "best"])
        let difference = zip(plain, best).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(difference > 0 && difference < 0.0001)
        let refused = try Barline.run(["stems", set.folder.path("a.wav"), "--quality", "best"])
        #expect(refused.status == 64 && refused.errors.contains("--quality needs --output"))
    }

    @Test("FLAC holds what WAV holds")
    func flac() throws {
        let set = try SmallSet()
        #expect(try Barline.run(set.render("out.flac", seconds: 3)).status == 0)
        #expect(try Barline.run(set.render("out.wav", seconds: 3, ["--format", "s24"])).status == 0)
        let decoded = set.folder.path("decoded.wav")
        #expect(try Program.run("flac", ["-s", "-d", set.folder.path("out.flac"), "-o", decoded]).status == 0)
        let wave = try set.contents("out.wav")
        let flac = try set.contents("decoded.wav")
        #expect(flac.bits == 24)
        #expect(flac.channels == wave.channels)
    }

    @Test("The block size changes no byte, and neither does the hour")
    func blockSize() throws {
        let set = try SmallSet(
            script: """
                {"at": 0, "do": "launch", "clip": "a"}
                {"at": 0.3, "do": "launch", "clip": "b"}
                {"at": 2.7, "do": "tempo", "bpm": 97.3, "ramp": 3}
                """)
        var first: [UInt8] = []
        for size in ["1024", "1", "333", "65536"] {
            #expect(try Barline.run(set.render("out.wav", seconds: 5, ["--block-size", size])).status == 0)
            let bytes = try set.folder.bytes("out.wav")
            if first.isEmpty { first = bytes }
            #expect(bytes == first, "block size \(size)")
            Thread.sleep(forTimeInterval: 0.4)
        }
    }

    @Test("Events and stems are written where asked for")
    func eventsAndStems() throws {
        let set = try SmallSet()
        let more = ["--events", set.folder.path("events.jsonl"), "--stems-out", set.folder.path("deep/stems")]
        #expect(try Barline.run(set.render("out.wav", seconds: 3, more)).status == 0)
        let events = try JSONLines.objects(try set.folder.text("events.jsonl"))
        let started = try #require(events.first { $0.text("event") == "clipStarted" })
        #expect(started.integer("frame") == 96_000 && started.text("clip") == "a")
        let names = try FileManager.default.contentsOfDirectory(atPath: set.folder.path("deep/stems")).sorted()
        #expect(names == ["bus-main.wav", "track-bass.wav", "track-drums.wav"])
        #expect(try set.contents("deep/stems/track-drums.wav").channels == set.contents("out.wav").channels)
    }

    @Test("A tempo that is clamped is reported on standard error, and rendered")
    func clamped() throws {
        let set = try SmallSet(script: #"{"at": 0.5, "do": "tempo", "bpm": 2000}"#, settings: #""snapTolerance": 0,"#)
        let outcome = try Barline.run(set.render("out.wav", seconds: 1))
        #expect(outcome.status == 0)
        #expect(outcome.errors == "barline: \(set.script): line 1: 2000.0 BPM is played as 999.0 BPM\n")
    }

    @Test("An item of the playlist that can't be played is named on standard error, and the next one is rendered")
    func missingItem() throws {
        let set = try SmallSet(
            script: """
                {"at": 0, "do": "playlist", "action": "insert", "index": 0, "file": "gone.wav"}
                {"at": 0, "do": "playlist", "action": "insert", "index": 1, "file": "b.wav"}
                {"at": 0.1, "do": "playlist", "action": "play", "index": 0}
                """)
        let outcome = try Barline.run(set.render("list.wav", seconds: 0.5))
        #expect(outcome.status == 0)
        #expect(outcome.errors.components(separatedBy: "gone.wav: can't be opened").count == 2, "\(outcome.errors)")
        #expect(try set.contents("list.wav").channels[0].contains { abs($0) > 0.1 })
    }

    @Test("Sums that are beyond all numbers end in a file, not in a crash")
    func absurdLevels() throws {
        let set = try SmallSet(
            script: """
                {"at": 0, "do": "launch", "clip": "a"}
                {"at": 0, "do": "launch", "clip": "b"}
                {"at": 0, "do": "gain", "track": "drums", "db": 60}
                {"at": 0, "do": "gain", "track": "bass", "db": 60}
                """, settings: #""firstLaunch": "immediate","#)
        let extreme = [Double](repeating: 3e38, count: 24_000)
        try set.folder.write("a.wav", WaveFile(extreme).bytes)
        try set.folder.write("b.wav", WaveFile(extreme.map { -$0 }).bytes)
        for format in ["s16", "s24", "f32"] {
            #expect(try Barline.run(set.render("out.wav", seconds: 2, ["--format", format])).status == 0, "\(format)")
            #expect(try set.contents("out.wav").frameCount == 96_000)
        }
    }
}
