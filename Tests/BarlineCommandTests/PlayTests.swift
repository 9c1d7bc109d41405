import BarlineTestSupport
import Foundation
import Testing

/// `barline play`.
@Suite("barline play")
struct PlayTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (index, frames) in [24_001, 12_000].enumerated() {
            var random = TestRandom(seed: UInt64(index))
            try folder.write(
                index == 0 ? "one.wav" : "two.wav", WaveFile((0..<frames).map { _ in 0.25 * random.amplitude() }).bytes)
        }
        return folder
    }

    @Test("Files are joined to the last bit, and the file ends with the last one")
    func join() throws {
        let folder = try folder()
        let files = ["one.wav", "two.wav", "one.wav"].map(folder.path)
        let outcome = try Barline.run(
            ["play"] + files + ["--output", folder.path("all.wav"), "--events", folder.path("events.jsonl"), "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sources = try files.flatMap { try WaveContents(path: $0).channels[0] }
        #expect(try WaveContents(path: folder.path("all.wav")).channels == [sources, sources])
        let events = try folder.text("events.jsonl").split(separator: "\n").filter { !$0.contains("itemTime") }
        #expect(events.last == #"{"event":"playlistEnded","frame":60002}"#)
        #expect(events.contains(#"{"event":"itemStarted","frame":24001,"item":"p2"}"#))
    }

    @Test("A shuffled list that is shorter than a block ends", arguments: 1...6, [1, 1_024])
    func shortShuffled(seed: Int, block: Int) throws {
        let folder = try TemporaryFolder()
        for name in ["1.wav", "2.wav", "3.wav"] {
            try folder.write(name, WaveFile([Double](repeating: 0.25, count: 10)).bytes)
        }
        let outcome = try Barline.run(
            ["play"] + ["1.wav", "2.wav", "3.wav"].map(folder.path) + [
                "--shuffle", "--seed", "\(seed)", "--block-size", "\(block)", "--output", folder.path("all.wav"),
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let channels = try WaveContents(path: folder.path("all.wav")).channels
        #expect(channels == [[Float]](repeating: [Float](repeating: 0.25, count: 30), count: 2))
    }

    @Test("Of a list of which nothing could be played, nothing is written and the status says so")
    func nothingPlayed() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a.wav", WaveFile([Double](repeating: .nan, count: 1_000)).bytes)
        let outcome = try Barline.run(["play", file, "--output", folder.path("all.wav")])
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("barline: ") }, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("all.wav")))
        // What was rendered before stays.
        try folder.write("all.wav", "kept")
        #expect(try Barline.run(["play", file, "--output", folder.path("all.wav")]).status == 1)
        #expect(try folder.text("all.wav") == "kept")
    }

    @Test("Crossfade, repetition and duration are as asked for")
    func options() throws {
        let folder = try folder()
        let outcome = try Barline.run([
            "play", folder.path("one.wav"), folder.path("two.wav"), "--output", folder.path("all.wav"), "--crossfade",
            "0.1", "--repeat", "all", "--duration", "2", "--events", folder.path("events.jsonl"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try WaveContents(path: folder.path("all.wav")).frameCount == 96_000)
        let starts = try folder.text("events.jsonl").split(separator: "\n").filter { $0.contains("itemStarted") }
        let frames = [0, 19_201, 26_401, 45_602, 52_802, 72_003, 79_203]
        #expect(starts.count == frames.count)
        for (line, frame) in zip(starts, frames) { #expect(line.contains("\"frame\":\(frame),"), "\(line)") }
    }

    @Test("Slower, and lower, items last as long as that takes")
    func slower() throws {
        let folder = try folder()
        let outcome = try Barline.run([
            "play", folder.path("one.wav"), folder.path("two.wav"), "--output", folder.path("all.wav"), "--speed",
            "0.5",
            "--transpose", "-2.5", "--events", folder.path("events.jsonl"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try folder.text("events.jsonl").contains(#"{"event":"playlistEnded","frame":72002}"#))
        for wrong in [["--speed", "0.1"], ["--transpose", "-25"], ["--start", "0.6"]] {
            #expect(try Barline.run(["play", folder.path("one.wav")] + wrong).status == 64)
        }
    }

    @Test("Live, it ends with the last item; what can't be played is reported and left out")
    func live() throws {
        let folder = try folder()
        let outcome = try Barline.run([
            "play", folder.path("none.wav"), folder.path("two.wav"), folder.path("two.wav"), "--backend", "null",
            "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("none.wav"))
        #expect(outcome.output.contains(#"{"event":"itemSkipped","frame":0,"item":"p1","#))
        #expect(outcome.output.contains(#"{"event":"itemStarted","frame":12000,"item":"p3"}"#))
        #expect(outcome.output.contains(#"{"event":"playlistEnded","frame":24000}"#), "\(outcome.output)")
    }

    @Test("The list is edited from standard input while it plays")
    func edited() throws {
        let folder = try folder()
        let insertion = #"{"do": "playlist", "action": "insert", "index": 1, "file": "\#(folder.path("two.wav"))"}"#
        let outcome = try Barline.run(
            ["play", folder.path("one.wav"), "--backend", "null", "--json"], input: insertion + "\n")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(#"{"event":"itemStarted","frame":24001,"item":"p2"}"#), "\(outcome.output)")
    }

    @Test("Killed while it plays, it has the same list, item and position the next time, paused")
    func killed() throws {
        let folder = try folder()
        try folder.write("long.wav", WaveFile([Double](repeating: 0.1, count: 60 * 48_000)).bytes)
        let environment = ["XDG_STATE_HOME": folder.path("state")]
        let program = try Program(
            Barline.path,
            [
                "play", folder.path("two.wav"), folder.path("two.wav"), folder.path("long.wav"), "--repeat", "all",
                "--backend", "null", "--json",
            ], environment: Barline.environment.merging(environment) { $1 })
        #expect(eventually { program.output.contains(#""event":"itemStarted","frame":24000,"item":"p3""#) })
        program.send(#"{"do": "playlist", "action": "seek", "position": 0.1}"# + "\n")
        #expect(eventually { program.output.contains("itemSeeked") })
        program.send(#"{"do": "playlist", "action": "pause"}"# + "\n")
        #expect(eventually { program.output.contains("playlistPaused") })
        let events = try JSONLines.objects(program.output)
        func frame(of name: String) throws -> Int {
            try #require(events.last { $0.text("event") == name }?.integer("frame"))
        }
        let expected = 0.1 + Double(try frame(of: "playlistPaused") - frame(of: "itemSeeked")) / 48_000
        func kept() throws -> [String: Any] { try JSONLines.objects(folder.text("state/barline/playlist.json"))[0] }
        let isKept = eventually {
            guard let position = try? kept().number("position") else { return false }
            return abs(position - expected) < 1e-4
        }
        #expect(isKept, "its position is to be \(expected)")
        program.signal(SIGKILL)
        let outcome = try Barline.run(
            ["play", "--backend", "null", "--json", "--duration", "1"], environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("itemStarted"), "it is paused")
        let again = try kept()
        #expect((again["items"] as? [[String: Any]])?.compactMap { $0.text("id") } == ["p1", "p2", "p3"])
        #expect(again.integer("index") == 2 && again.text("repeat") == "all")
        #expect(abs((again.number("position") ?? 0) - expected) < 1e-4)
    }

    @Test("The place in a list, and its volume, are kept where its files are away the next time")
    func away() throws {
        let folder = try folder()
        let disk = try folder.folder("disk")
        for name in ["a", "b"] {
            try folder.write("disk/\(name).wav", WaveFile([Double](repeating: 0.1, count: 10 * 48_000)).bytes)
        }
        func play(_ files: [String], _ lines: [String]) throws -> Program.Outcome {
            try Barline.run(
                ["play", "--backend", "null", "--json", "--duration", "1.5"] + files,
                input: lines.map { #"{"do": "playlist", \#($0)}"# + "\n" }.joined(),
                environment: ["XDG_STATE_HOME": folder.path("state")])
        }
        func kept() throws -> [String: Any] { try JSONLines.objects(folder.text("state/barline/playlist.json"))[0] }
        let asked = [
            #""action": "play", "index": 1"#, #""action": "pause""#, #""action": "seek", "position": 4"#,
            #""action": "gain", "db": -7"#,
        ]
        let first = try play(["\(disk)/a.wav", "\(disk)/b.wav"], asked)
        #expect(first.status == 0, "\(first.errors)")
        #expect(try kept().integer("index") == 1)
        let position = try #require(kept().number("position"))
        #expect(abs(position - 4) < 1e-4)
        #expect(try kept().number("gain") == -7)
        let files = try folder.text("state/barline/playlist.json")
        try FileManager.default.moveItem(atPath: disk, toPath: folder.path("elsewhere"))
        for lines in [[], [#""action": "play""#], [#""action": "next""#, #""action": "play""#]] {
            let outcome = try play([], lines)
            #expect(outcome.errors.contains("b.wav"), "\(outcome.errors)")
            #expect(try folder.text("state/barline/playlist.json") == files, "\(lines)")
        }
        try FileManager.default.moveItem(atPath: folder.path("elsewhere"), toPath: disk)
        let again = try play([], [#""action": "play""#])
        #expect(again.status == 0 && again.errors.isEmpty, "\(again.errors)")
        #expect(again.output.contains(#""event":"itemStarted""#) && !again.output.contains(#""item":"p1""#))
        #expect(try kept().integer("index") == 1 && kept().number("gain") == -7)
        #expect(try #require(kept().number("position")) > position + 0.5)
    }

    @Test("A list of files, and a cue sheet's parts of one, are played as they are written")
    func lists() throws {
        let folder = try folder()
        try folder.write("set.m3u", "#EXTM3U\n#EXTINF:1,Somebody - Second\ntwo.wav\nset.cue\n")
        try folder.write(
            "set.cue",
            """
            FILE "one.wav" WAVE
              TRACK 01 AUDIO
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                INDEX 01 00:00:20
            """)
        let outcome = try Barline.run([
            "play", folder.path("set.m3u"), "--output", folder.path("all.wav"), "--events", folder.path("events.jsonl"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sources = try ["two.wav", "one.wav"].flatMap { try WaveContents(path: folder.path($0)).channels[0] }
        #expect(try WaveContents(path: folder.path("all.wav")).channels[0] == sources)
        let starts = try folder.text("events.jsonl").split(separator: "\n").filter { $0.contains("itemStarted") }
        #expect(starts.map { $0.contains("\"frame\":") } == [true, true, true])
        #expect(starts[2].contains("\"frame\":24800,"), "\(starts[2])")
    }

    @Test("Files without tags are measured and made equally loud")
    func loudness() throws {
        let folder = try TemporaryFolder()
        for (index, level) in [0.1, 0.01].enumerated() {
            var random = TestRandom(seed: UInt64(index))
            let samples = (0..<48_000).map { _ in level * random.amplitude() }
            try folder.write(index == 0 ? "loud.wav" : "quiet.wav", WaveFile(samples).bytes)
        }
        func levels(_ options: [String]) throws -> [Double] {
            let outcome = try Barline.run(
                ["play", folder.path("loud.wav"), folder.path("quiet.wav"), "--output", folder.path("all.wav")]
                    + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let sound = try WaveContents(path: folder.path("all.wav")).channels[0]
            return [sound[..<48_000], sound[48_000...]].map { part in
                10 * log10(part.reduce(0) { $0 + Double($1) * Double($1) } / 48_000)
            }
        }
        let plain = try levels([])
        #expect(abs(plain[0] - plain[1] - 20) < 0.3)
        let equal = try levels(["--loudness", "track", "--measure"])
        #expect(abs(equal[0] - equal[1]) < 0.3, "\(equal)")
        // Where no album is named, a folder is one. Its quiet half is below the gate: the loud file alone counts.
        let album = try levels(["--loudness", "album", "--measure"])
        #expect(abs(album[0] - album[1] - 20) < 0.3, "\(album)")
        #expect(abs(album[0] - equal[0]) < 1, "\(album) \(equal)")
    }

    @Test("A log tells of items, and of what is written ahead only to those who ask for all of it")
    func log() throws {
        let folder = try folder()
        func log(_ level: String) throws -> String {
            try Barline.run(["play", folder.path("two.wav"), "--backend", "null", "--log-level", level]).errors
        }
        let debug = try log("debug")
        #expect(debug.contains("barline.item") && !debug.contains("barline.serializer"), "\(debug)")
        #expect(try log("trace").contains("barline.serializer"))
        #expect(try !log("error").contains("barline.item"))
    }

    @Test("A list of which nothing can be played fails, and leaves the remembered one alone")
    func nothingPlayable() throws {
        let folder = try folder()
        let environment = ["XDG_STATE_HOME": folder.path("state")]
        func play(_ names: [String]) throws -> Program.Outcome {
            try Barline.run(
                ["play", "--backend", "null"] + names.map(folder.path), environment: environment)
        }
        #expect(try play(["two.wav", "one.wav"]).status == 0)
        let kept = try folder.text("state/barline/playlist.json")
        #expect(kept.contains("two.wav"))
        try folder.write("text.wav", "no audio")
        try folder.write("empty.wav", WaveFile([Double]()).bytes)
        for names in [["none.wav"], ["text.wav", "none.wav"], ["empty.wav"]] {
            let outcome = try play(names)
            #expect(outcome.status == 1, "\(names): \(outcome.errors)")
            #expect(!outcome.errors.isEmpty)
            #expect(try folder.text("state/barline/playlist.json") == kept, "\(names)")
        }
        // One that plays is enough.
        #expect(try play(["none.wav", "one.wav"]).status == 0)
        #expect(try folder.text("state/barline/playlist.json") != kept)
        let rendered = try Barline.run(["play", folder.path("empty.wav"), "--output", folder.path("out.wav")])
        #expect(rendered.status == 1 && rendered.errors.contains("empty.wav"), "\(rendered.errors)")
    }

    @Test("A log says what was asked for, and what became of it")
    func logOfActions() throws {
        let folder = try folder()
        let actions = [
            #"{"do": "playlist", "action": "insert", "index": 1, "file": "\#(folder.path("two.wav"))", "id": "extra"}"#,
            #"{"do": "playlist", "action": "move", "from": 1, "to": 0}"#,
            #"{"do": "playlist", "action": "remove", "index": 0}"#,
        ]
        let log = try Barline.run(
            ["play", folder.path("one.wav"), "--backend", "null", "--log-level", "debug"],
            input: actions.joined(separator: "\n") + "\n"
        ).errors
        for words in [#""action":"insert""#, #""id":"extra""#, "inserted at 1", "moved to 0", "is removed"] {
            #expect(log.contains(words), "\(words) in \(log)")
        }
        #expect(log.contains("play of item 1 is sent as command") || log.contains("0.0 s of item 1 is sent"), "\(log)")
        #expect(!log.contains("what was asked for"))
    }

    @Test("There is nothing to go on with where nothing was played before")
    func nothingKept() throws {
        let folder = try TemporaryFolder()
        let outcome = try Barline.run(
            ["play", "--backend", "null"], environment: ["XDG_STATE_HOME": folder.path("state")])
        #expect(outcome.status == 64 && outcome.errors.contains("no list"))
    }

    @Test(
        "Wrong usage is reported as such",
        arguments: [
            ["--output", "x.wav"], ["one.wav", "--crossfade", "-1"], ["one.wav", "--loudness", "max"],
            ["one.wav", "--measure"],
            ["one.wav", "--repeat", "often"], ["one.wav", "--seed", "1"],
            ["one.wav", "--repeat", "all", "--output", "x.wav"], ["one.wav", "--duration", "0"],
        ])
    func usage(arguments: [String]) throws {
        #expect(try Barline.run(["play"] + arguments).status == 64)
    }

    @Test(
        "A file of a folder that can't be read is left out of a render, and it is said; without any other it is an error"
    )
    func renderLeavesOut() throws {
        let folder = try folder()
        try FileManager.default.createDirectory(atPath: folder.path("album"), withIntermediateDirectories: true)
        try folder.write("album/1.wav", WaveFile([Double](repeating: 0.25, count: 4_800)).bytes)
        try folder.write("album/2.wav", "no audio")
        try folder.write("album/3.wav", WaveFile([Double](repeating: 0.5, count: 4_800)).bytes)
        let outcome = try Barline.run(["play", folder.path("album"), "--output", folder.path("out.wav")])
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("2.wav: ") && outcome.errors.contains("; it is left out"))
        #expect(try WaveContents(path: folder.path("out.wav")).frameCount == 9_600)
        let none = try Barline.run(
            ["play", folder.path("album/2.wav"), "--output", folder.path("none.wav")])
        #expect(none.status == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.wav")))
    }
}
