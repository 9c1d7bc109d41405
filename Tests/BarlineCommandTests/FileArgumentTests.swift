import BarlineTestSupport
import Foundation
import Testing

/// What is named without a command, folders, and sessions by their names.
@Suite("Files, folders and names")
struct FileArgumentTests {
    private static let tone = WaveFile([Double](repeating: 0.1, count: 2_400)).bytes

    /// The names of what was played, in order.
    private func played(_ arguments: [String], input: String = "", in folder: TemporaryFolder) throws -> [String] {
        let outcome = try Barline.run(
            arguments + ["--backend", "null"], input: input,
            environment: ["XDG_STATE_HOME": folder.path("state"), "XDG_DATA_HOME": folder.path("data")],
            in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /[0-9]  ▶ (.*)/).map { String($0.1) }
        }.filter { $0 != "playlist" }
    }

    @Test("Audio files and lists are played without a command")
    func files() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] { try folder.write("\(name).wav", FileArgumentTests.tone) }
        try folder.write("list.m3u", "b.wav\na.wav\n")
        #expect(try played(["b.wav"], in: folder) == ["b"])
        #expect(try played(["b.wav", "a.wav"], in: folder) == ["b", "a"])
        #expect(try played(["a.wav", "list.m3u"], in: folder) == ["a", "b", "a"])
        #expect(try played(["--crossfade", "0", "a.wav"], in: folder) == ["a"])
    }

    @Test(
        "A folder's audio is played with the folders in it, numbers in names by their value", arguments: [true, false])
    func folder(hasCommand: Bool) throws {
        let folder = try TemporaryFolder()
        for name in ["10 ten", "2 two", "1 one", ".hidden", "B", "a"] {
            try folder.write("music/\(name).wav", FileArgumentTests.tone)
        }
        try folder.write("music/cd 10/x.wav", FileArgumentTests.tone)
        try folder.write("music/cd 9/y.wav", FileArgumentTests.tone)
        try folder.write("music/cd 9/deeper/z.wav", FileArgumentTests.tone)
        try folder.write("music/cover.txt", "no audio")
        // A link that leads back ends nowhere.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("music/loop"), withDestinationPath: folder.path("music"))
        let expected = ["1 one", "2 two", "10 ten", "a", "B", "y", "z", "x"]
        #expect(try played((hasCommand ? ["play"] : []) + ["music"], in: folder) == expected)
    }

    @Test("Where all files of a folder have numbers in their tags, these are the order")
    func tags() throws {
        let folder = try TemporaryFolder()
        try folder.write("tone.wav", FileArgumentTests.tone)
        try FileManager.default.createDirectory(atPath: folder.path("album"), withIntermediateDirectories: true)
        for (name, disc, track) in [("a", 2, 1), ("b", 1, 10), ("c", 1, 9), ("d", 2, 2)] {
            let tags = ["album=One", "disc=\(disc)", "track=\(track)"].flatMap { ["-metadata", $0] }
            let made = try Program.run(
                "ffmpeg", ["-i", folder.path("tone.wav")] + tags + [folder.path("album/\(name).flac")])
            #expect(made.status == 0, "\(made.errors)")
        }
        #expect(try played(["album"], in: folder) == ["c", "b", "a", "d"])
        try folder.write("album/aa.wav", FileArgumentTests.tone)
        #expect(try played(["album"], in: folder) == ["a", "aa", "b", "c", "d"], "one has no number")
    }

    @Test("A folder without audio is reported")
    func emptyFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("empty/text.txt", "no audio")
        let outcome = try Barline.run(["empty", "--backend", "null"], in: folder.path)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "barline: empty: is not a playlist that can be read: it is a folder without audio\n")
    }

    @Test("A session is run by its file, and by the name under which it was saved")
    func sessions() throws {
        let set = try SmallSet()
        let saved = set.folder.path("data/barline/sessions/Friday set.barline")
        try set.folder.write("data/barline/sessions/Friday set.barline", #"{"barline": 1, "name": "Saved"}"#)
        func first(_ arguments: [String]) throws -> String? {
            let outcome = try Barline.run(
                arguments + ["--backend", "null", "--no-page", "--duration", "0.1"],
                environment: ["XDG_DATA_HOME": set.folder.path("data")], in: set.folder.path)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.split(separator: "\n").first.map(String.init)
        }
        let (small, friday) = (
            "Small set on null (paced by the clock, not heard)", "Saved on null (paced by the clock, not heard)"
        )
        #expect(try first(["set.barline"]) == small)
        #expect(try first(["run", "set.barline"]) == small)
        #expect(try first(["run", "set"]) == small)
        #expect(try first(["run", "Friday set"]) == friday)
        #expect(try first(["run", "Friday set.barline"]) == friday)
        #expect(try first(["Friday set"]) == friday)
        // A file that is there goes before one that was saved.
        try FileManager.default.copyItem(atPath: set.session, toPath: set.folder.path("Friday set.barline"))
        #expect(try first(["run", "Friday set"]) == small)
        #expect(FileManager.default.fileExists(atPath: saved))
    }

    @Test("A saved session is rendered by its name")
    func render() throws {
        let folder = try TemporaryFolder()
        try folder.write("data/barline/sessions/Mine.barline", #"{"barline": 1}"#)
        try folder.write("script.jsonl", "")
        let outcome = try Barline.run(
            ["render", "Mine", "--script", "script.jsonl", "--duration", "0.1", "--output", "o.wav"],
            environment: ["XDG_DATA_HOME": folder.path("data")], in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("What is no session is reported as being for another command")
    func noSession() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", FileArgumentTests.tone)
        try folder.write("list.m3u", "a.wav\n")
        try folder.write("broken.barline", "{")
        for name in ["a.wav", "list.m3u", "."] {
            let outcome = try Barline.run(["run", name, "--backend", "null"], in: folder.path)
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("barline: \(name): is not "), "\(outcome.errors)")
            #expect(outcome.errors.contains("barline play"), "\(outcome.errors)")
            #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
        }
        let broken = try Barline.run(["run", "broken.barline", "--backend", "null"], in: folder.path)
        #expect(broken.status == 1 && !broken.errors.contains("barline play"))
    }

    @Test("Options say which command is meant, where files leave it open")
    func options() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.wav", FileArgumentTests.tone)
        let port = try Barline.run(["a.wav", "--port", "7000"], in: folder.path)
        #expect(port.status == 64 && port.errors.contains("Unknown option '--port'"), "\(port.errors)")
        let wrong = try Barline.run(["a.wav", "--no-such-option"], in: folder.path)
        #expect(wrong.status == 64 && wrong.errors.contains("Unknown option '--no-such-option'"))
        let crossfade = try Barline.run(["a.wav", "--crossfade", "99"], in: folder.path)
        #expect(crossfade.status == 64 && crossfade.errors.contains("--crossfade must be"))
        // The file is the option's, and the demo set is what plays.
        let record = try Barline.run(
            ["--events", "a.wav", "--scene", "1", "--backend", "null", "--no-page", "--duration", "0.1"],
            environment: ["XDG_CACHE_HOME": folder.path("cache")], in: folder.path)
        #expect(record.status == 0 && record.output.hasPrefix("Demo set on "), "\(record.errors)")
    }

    @Test("- plays what is piped in: audio, or names a line each")
    func piped() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] { try folder.write("\(name).wav", FileArgumentTests.tone) }
        #expect(try played(["play", "-"], input: "# names\nb.wav\na.wav\n", in: folder) == ["b", "a"])
        #expect(try played(["-", "b.wav"], input: "a.wav", in: folder) == ["a", "b"])
        let outcome = try Program.run(
            "sh",
            ["-c", #""$0" play - --output o.wav < a.wav"#, Barline.path], environment: Barline.environment,
            in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try WaveContents(path: folder.path("o.wav")).channels[0]
                == WaveContents(path: folder.path("a.wav")).channels[0])
        let empty = try Barline.run(["play", "-", "--backend", "null"], in: folder.path)
        #expect(empty.status == 1 && empty.errors == "barline: standard input: is empty\n")
    }

    @Test("- refuses a terminal, and says what to do", arguments: [["play", "-"], ["-"]])
    func terminal(arguments: [String]) throws {
        let screen = try Screen(arguments + ["--backend", "null"])
        defer { screen.close() }
        #expect(screen.end() == 64)
        #expect(eventually { screen.raw.contains("terminal") && screen.raw.contains("| barline play -") })
    }
}
