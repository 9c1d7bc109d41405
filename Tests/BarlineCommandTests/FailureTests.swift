import BarlineTestSupport
import Foundation
import Testing

/// What goes wrong is told in one line, with the file, and ends with status 1.
@Suite("Failures of commands")
struct FailureTests {
    private func expectFailure(_ arguments: [String], _ start: String) throws {
        let outcome = try Barline.run(arguments)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("barline: \(start)"), "\(outcome.errors)")
        #expect(outcome.errors.filter { $0 == "\n" }.count == 1, "one line")
    }

    @Test("A session that is missing, a folder, or wrong")
    func session() throws {
        let set = try SmallSet()
        let script = ["--script", set.script, "--duration", "1", "--output", set.folder.path("o.wav")]
        let none = set.folder.path("none.barline")
        try expectFailure(["render", none] + script, "\(none): can't be opened: No such file")
        try expectFailure(["run", "--backend", "null", none], "\(none): can't be opened: No such file")
        try expectFailure(["versions", none], "\(none): can't be opened: No such file")
        try expectFailure(["collect", none, set.folder.path("new")], "\(none): can't be opened: No such file")
        try expectFailure(["render", set.folder.path] + script, "\(set.folder.path): is not a file")
        try set.folder.write("bad.barline", #"{"barline": 1, "tracks": [{"id": "t", "pan": 3}]}"#)
        let bad = set.folder.path("bad.barline")
        try expectFailure(["render", bad] + script, "\(bad): tracks[0].pan: expected a number from -1 to 1, found 3")
        try expectFailure(["run", "--backend", "null", bad], "\(bad): tracks[0].pan: expected ")
    }

    @Test("A script that is missing, wrong, or names what there is not")
    func script() throws {
        let set = try SmallSet()
        func render(_ script: String) -> [String] {
            ["render", set.session, "--script", script, "--duration", "1", "--output", set.folder.path("o.wav")]
        }
        let none = set.folder.path("none.jsonl")
        try expectFailure(render(none), "\(none): can't be opened: No such file")
        let bad = try set.folder.write("bad.jsonl", "\n{\"at\": 0, \"do\": \"launch\"}\n")
        try expectFailure(render(bad), "\(bad): line 2.clip: expected ")
        let unknown = try set.folder.write("unknown.jsonl", #"{"at": 0, "do": "launch", "clip": "z"}"#)
        try expectFailure(render(unknown), "\(unknown): line 1.clip: there is no \"z\"")
        try expectFailure(
            ["run", "--backend", "null", "--duration", "1", set.session, "--script", unknown],
            "\(unknown): line 1.clip: there is no \"z\"")
        #expect(!(try set.folder.names().contains("o.wav")))
    }

    @Test("A control that can't be used is named when the session is played, and its other controls are there")
    func control() throws {
        let set = try SmallSet()
        try set.folder.write(
            "midi.barline", #"{"barline": 1, "midi": {"mappings": [{"message": "cc", "number": 128}]}}"#)
        let session = set.folder.path("midi.barline")
        let outcome = try Barline.run(["run", "--backend", "null", "--no-page", "--duration", "0.1", session])
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.contains("\(session): midi.mappings[0].number: expected a whole number from 0 to 127"),
            "\(outcome.errors)")
    }

    @Test("A clip that is broken: the render names file and key")
    func clip() throws {
        let set = try SmallSet()
        try set.folder.write("b.wav", "no audio")
        try expectFailure(
            set.render("o.wav", seconds: 1), "\(set.session): tracks[1].clips[0].file: \(set.folder.path("b.wav")): ")
        #expect(!(try set.folder.names().contains("o.wav")))
    }

    @Test("An output that can't be written")
    func output() throws {
        let set = try SmallSet()
        for name in ["out.mp3", "out", "nowhere/out.wav"] {
            try expectFailure(set.render(name, seconds: 1), "\(set.folder.path(name)): can't be written: ")
        }
        let lost = set.folder.path("nowhere/out.wav")
        for arguments in [
            set.render("nowhere/out.wav", seconds: 1), ["stems", set.folder.path("a.wav"), "--output", lost],
        ] {
            try expectFailure(arguments, "\(lost): can't be written: No such file or directory")
        }
        try expectFailure(
            set.render("out.flac", seconds: 1, ["--format", "f32"]),
            "\(set.folder.path("out.flac")): can't be written: FLAC has no float samples")
        #expect(try set.folder.names() == ["a.wav", "b.wav", "script.jsonl", "set.barline"])
    }

    @Test("A file where a render would put its folder, or a folder that no one may make")
    func folders() throws {
        let set = try SmallSet()
        for option in ["--stems-out", "--takes-out"] {
            for (folder, words) in [("a.wav", "File exists"), ("a.wav/stems", "Not a directory")] {
                let path = set.folder.path(folder)
                try expectFailure(
                    set.render("o.wav", seconds: 1, [option, path]), "\(path): can't be made a folder: \(words)")
            }
        }
        #expect(try set.folder.names() == ["a.wav", "b.wav", "script.jsonl", "set.barline"])
    }

    @Test("What is read is not written over")
    func sources() throws {
        let set = try SmallSet()
        try FileManager.default.createSymbolicLink(
            atPath: set.folder.path("link.wav"), withDestinationPath: set.folder.path("a.wav"))
        let before = try Dictionary(uniqueKeysWithValues: set.folder.names().map { ($0, try set.folder.bytes($0)) })
        let session = set.folder.path("set.barline")
        for events in [session, set.script] {
            try expectFailure(
                set.render("o.wav", seconds: 1, ["--events", events]), "\(events): is read for this render")
        }
        for output in ["a.wav", "link.wav"] {
            try expectFailure(set.render(output, seconds: 1), "\(set.folder.path(output)): is read for this render")
            for command in ["stems", "play"] {
                try expectFailure(
                    [command, set.folder.path("a.wav"), "--output", set.folder.path(output)],
                    "\(set.folder.path(output)): is read for this render")
            }
            let drawn = ["waveform", set.folder.path("a.wav"), "--png", set.folder.path(output)]
            try expectFailure(drawn, "\(set.folder.path(output)): can't be written: it is the file that is drawn")
        }
        // As the shell makes of `--png *.wav`.
        let other = set.folder.path("b.wav")
        try expectFailure(
            ["waveform", "--png", other, set.folder.path("a.wav")],
            "\(other): can't be written: it is there already, and no picture")
        let after = try Dictionary(uniqueKeysWithValues: set.folder.names().map { ($0, try set.folder.bytes($0)) })
        #expect((after == before) as Bool)
    }

    @Test("Nor is it by what is played live, by strips and takes, or where a list or an input is read")
    func otherSources() throws {
        let set = try SmallSet()
        let folder = set.folder
        let take = try folder.write("take.wav", WaveFile([Double](repeating: 0.1, count: 48_000)).bytes)
        let map = try folder.write("map.jsonl", #"{"at": 0, "do": "tempo", "bpm": 100}"#)
        let list = try folder.write("list.m3u", "take.wav\n")
        let session = try folder.write(
            "input.barline",
            #"""
            {"barline": 1, "inputs": [{"name": "mic"}], "tracks": [{"id": "t", "input": "mic", "clips": [
            {"id": "c", "slot": 1, "file": "take.wav"}]}]}
            """#)
        let script = try folder.write(
            "record.jsonl", #"{"at": 0, "do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "take"}"#)
        let insert = try folder.write(
            "insert.jsonl", #"{"at": 0, "do": "playlist", "action": "insert", "index": 0, "file": "\#(take)"}"#)
        try folder.write("track-t.wav", WaveFile([0.25, 0.5]).bytes)
        let strips = try folder.write(
            "strips.barline",
            #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "c", "slot": 0, "file": "track-t.wav"}]}]}"#)
        let before = try Dictionary(uniqueKeysWithValues: folder.names().map { ($0, try folder.bytes($0)) })
        let null = ["--backend", "null", "--duration", "0.5"]
        let input = ["--input", "mic=\(take)"]
        let run = ["run", "--no-page", "--json"] + null
        let render = ["render", session, "--script", script, "--duration", "5"] + input
        let out = ["--output", folder.path("out.wav")]
        let commands: [([String], String)] = [
            (run + [set.session, "--events", set.session], set.session),
            (run + [set.session, "--record", set.session], set.session),
            (run + [set.session, "--events", folder.path("a.wav")], folder.path("a.wav")),
            (run + [set.session, "--script", set.script, "--record", set.script], set.script),
            (run + [session, "--events", take] + input, take),
            (["play", take, "--events", take] + null, take),
            (["play", list, "--events", list] + null, list),
            (["metronome", "--tempo-map", map, "--events", map] + null, map),
            (["play", list, "--events", list] + out, list),
            (render + ["--output", take], take),
            (["render", set.session, "--script", insert, "--duration", "1", "--output", take], take),
            (render + out + ["--takes-out", folder.path], take),
            (
                ["render", strips, "--script", map, "--duration", "1", "--stems-out", folder.path] + out,
                folder.path("track-t.wav")
            ),
        ]
        for (arguments, file) in commands {
            let what = arguments.contains("null") ? "performance" : "render"
            try expectFailure(arguments, "\(file): is read for this \(what)")
        }
        let after = try Dictionary(uniqueKeysWithValues: folder.names().map { ($0, try folder.bytes($0)) })
        #expect((after == before) as Bool)
    }

    @Test("A take that there is no room for leaves the one that was there, and nothing beside it")
    func fullTakes() throws {
        let folder = try TemporaryFolder()
        let session = try folder.write(
            "input.barline",
            #"{"barline": 1, "inputs": [{"name": "mic"}], "tracks": [{"id": "t", "input": "mic"}]}"#)
        func render(bars: Int, limit: String) throws -> Program.Outcome {
            let script = try folder.write(
                "s.jsonl",
                #"{"at": 0, "do": "recordClip", "track": "t", "slot": 0, "bars": \#(bars), "id": "take"}"#)
            return try Program.run(
                "sh",
                ["-c", "ulimit -f \(limit); exec \"$@\"", "sh", Barline.path, "render", session, "--script", script]
                    + ["--input", "mic=sine:440", "--duration", "34", "--output", folder.path("out.flac")]
                    + ["--takes-out", folder.path("takes")], environment: Barline.environment)
        }
        #expect(try render(bars: 1, limit: "unlimited").status == 0)
        let before = try folder.bytes("takes/take.wav")
        #expect(before.count > 2 * 4 * 48_000)
        // 2 MB, or 4 where a shell counts in kilobytes: sixteen bars are 12 MB.
        let outcome = try render(bars: 16, limit: "4096")
        #expect(outcome.status == 1 && outcome.errors.contains("take.wav: can't be written: File too large"))
        #expect(try folder.bytes("takes/take.wav") == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("takes")) == ["take.wav"])
    }

    @Test("What a disk has no room for on standard output is no success")
    func fullOutput() throws {
        let set = try SmallSet()
        let file = set.folder.path("a.wav")
        for command in [
            "analyze --json \(file)", "waveform --json \(file)", "waveform \(file)",
            "play \(file) --output \(set.folder.path("o.wav"))", "--version", "help", "render --help",
        ] {
            let outcome = try Program.run(
                "sh", ["-c", "exec \(Barline.path) \(command) > /dev/full"], environment: Barline.environment)
            #expect(outcome.status == 1)
            #expect(
                outcome.errors == "barline: standard output: can't be written: No space left on device\n",
                "\(command): \(outcome.errors)")
        }
    }

    @Test("A file with nothing in it is named as such, also among stems")
    func nothing() throws {
        let folder = try TemporaryFolder()
        let none = try folder.write("none.wav", WaveFile([Double]()).bytes)
        try expectFailure(["stems", none, "--output", folder.path("o.wav")], "\(none): there is nothing in the stems")
    }

    @Test("A file without a waveform")
    func waveform() throws {
        let folder = try TemporaryFolder()
        let none = folder.path("none.wav")
        try expectFailure(["waveform", none], "\(none): can't be opened: No such file")
        try expectFailure(["waveform", folder.path], "\(folder.path): is a folder, not an audio file")
        try expectFailure(["waveform", "/dev/zero"], "/dev/zero: is a device, not an audio file")
        let text = try folder.write("text.wav", "no audio")
        try expectFailure(["waveform", text], "\(text): is not audio that can be read")
        let sound = try folder.write("a.wav", WaveFile([0, 0.5]).bytes)
        let picture = folder.path("nowhere/a.png")
        try expectFailure(["waveform", sound, "--png", picture], "\(picture): ")
    }

    @Test("A demo folder that can't be made")
    func demo() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("file", "")
        try expectFailure(["demo", file], "\(file): is a file, and a folder is needed")
    }

    @Test("A sound server that does not run")
    func noServer() throws {
        let set = try SmallSet()
        try expectFailure(["run", set.session, "--backend", "jack"], "jack: no server to connect to: ")
    }
}
