import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// `barline run` without a terminal, paced by the clock.
@Suite("Playing live without a terminal")
struct RunTests {
    private static let quick = #""launchQuantization": "1/16", "firstLaunch": "immediate", "#

    @Test("What happens is printed in plain lines, for as long as asked for")
    func plainLines() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let started = Date()
        let outcome = try Barline.run(
            ["run", set.session, "--backend", "null", "--duration", "1", "--script", set.script])
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "Small set on null (paced by the clock, not heard)")
        #expect(lines.contains("0:00.000  ▶ Drum kit: Noise at beat 0"))
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(-started.timeIntervalSinceNow > 0.9)
    }

    @Test("A script's first actions are done on their own frames, not late")
    func notLate() throws {
        let set = try SmallSet(
            script: """
                {"frame": 0, "do": "gain", "track": "drums", "db": -6}
                {"frame": 0, "do": "launch", "clip": "a"}
                {"frame": 100, "do": "launch", "clip": "b"}
                """, settings: RunTests.quick)
        let outcome = try Barline.run(
            ["run", set.session, "--backend", "null", "--duration", "0.5", "--script", set.script, "--json"])
        let events = try JSONLines.objects(outcome.output)
        #expect(!events.contains { $0.text("event") == "commandLate" })
        let started = events.filter { $0.text("event") == "clipStarted" }
        #expect(started.first?.integer("frame") == 0)
        #expect(started.first?.number("sourceFrame") == 0)
    }

    @Test("Actions are taken from standard input, and what is wrong with one ends nothing")
    func standardInput() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let program = try Barline.start(["run", set.session, "--backend", "null", "--json"])
        defer { withExtendedLifetime(set) { program.end() } }
        #expect(eventually { program.output.contains(#""event":"output""#) })
        program.send(#"{"do": "launch", "clip": "a"}"# + "\n")
        #expect(eventually { program.output.contains(#""clip":"a","event":"clipStarted""#) }, "\(program.output)")
        program.send("launch b\n")
        #expect(eventually { program.errors.contains("barline: expected an object in JSON, found launch b") })
        program.send(#"{"do": "launch", "clip": "z", "request": 7}"# + "\n")
        #expect(eventually { program.errors.contains("barline: There is no clip “z”.") })
        #expect(eventually { program.output.contains(#""message":"There is no clip “z”.","ok":false,"request":7"#) })
        program.send("\n" + #"{"do": "tempo", "bpm": 5000}"# + "\n")
        #expect(eventually { program.errors.contains("5000.0 BPM is played as 999.0 BPM") })
        program.send(#"{"do": "launch", "clip": "b"}"# + "\n")
        #expect(eventually { program.output.contains(#""clip":"b","event":"clipStarted""#) })
        program.closeInput()
        program.signal(SIGTERM)
        #expect(try program.wait().status == 143)
    }

    @Test("A line of standard input that is too long is passed over, and what follows it is done")
    func longLines() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let program = try Barline.start(["run", set.session, "--backend", "null", "--json"])
        defer { withExtendedLifetime(set) { program.end() } }
        #expect(eventually { program.output.contains(#""event":"output""#) })
        let spaces = String(repeating: " ", count: 1_048_500)
        program.send(#"{"do": "launch", "clip": "a"\#(spaces)}"# + "\n")
        #expect(eventually { program.output.contains(#""clip":"a","event":"clipStarted""#) })
        program.send(
            #"{"do": "launch", "clip": "b"\#(spaces)\#(spaces)}"# + "\n" + #"{"do": "tempo", "bpm": 5000}"# + "\n")
        #expect(
            eventually { program.errors.contains("barline: a line has more than 1048576 bytes, and is passed over") })
        #expect(eventually { program.errors.contains("5000.0 BPM is played as 999.0 BPM") })
        #expect(!program.output.contains(#""clip":"b""#))
        program.closeInput()
        program.signal(SIGTERM)
        #expect(try program.wait().status == 143)
    }

    @Test("Every one of thousands of lines that come at once is answered")
    func flood() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let program = try Barline.start(["run", set.session, "--backend", "null", "--no-page", "--json"])
        defer { withExtendedLifetime(set) { program.end() } }
        let lines = (0..<20_000).map { #"{"do": "gain", "track": "drums", "db": \#(-$0 % 20), "request": \#($0)}"# }
        program.send(lines.joined(separator: "\n") + "\n")
        #expect(eventually { program.output.contains(#""request":19999"#) })
        let answers = try JSONLines.objects(program.output).filter { $0.text("event") == "ack" }
        #expect(Set(answers.compactMap { ($0["request"] as? NSNumber)?.intValue }) == Set(0..<20_000))
        #expect(!program.output.contains(#""event":"missed""#))
        program.signal(SIGTERM)
        #expect(try program.wait().status == 143)
    }

    @Test("A scene can be launched at the start; one that there is not is an error")
    func scene() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let arguments = ["run", set.session, "--backend", "null", "--duration", "0.3", "--scene"]
        let outcome = try Barline.run(arguments + ["2"])
        #expect(outcome.output.contains("▶ Bass line: Other"))
        let wrong = try Barline.run(arguments + ["3"])
        #expect(wrong.status == 1)
        #expect(wrong.errors.hasPrefix("barline: \(set.session): --scene: there is no \"3\""))
    }

    @Test("A clip that is broken is reported, and the rest plays")
    func brokenClip() throws {
        let set = try SmallSet(settings: RunTests.quick)
        try set.folder.write("b.wav", "no audio")
        let outcome = try Barline.run(
            ["run", set.session, "--backend", "null", "--duration", "0.5", "--scene", "1"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix("barline: \(set.session): tracks[1].clips[0].file: "))
        #expect(outcome.output.contains("▶ Drum kit: Noise"))
    }

    // Other systems' devices can't be hidden from PortAudio.
    #if os(Linux)
        @Test("Where there is nothing to play to, one line says so and what to do about it")
        func nothingToPlayTo() throws {
            let set = try SmallSet(settings: RunTests.quick)
            let nothing = try set.folder.write("asound.conf", "pcm.none 1\n")
            let outcome = try Barline.run(
                ["run", set.session, "--duration", "0.2"], environment: ["ALSA_CONFIG_PATH": nothing])
            #expect(outcome.status == 0)
            #expect(outcome.errors.hasPrefix("barline: no sound server or device was found: "))
            #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
        }
    #endif

    @Test("A session is edited, undone, turned over and saved from standard input, and every line is answered")
    func editing() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let program = try Barline.start(["run", set.session, "--backend", "null", "--no-page", "--json"])
        defer { withExtendedLifetime(set) { program.end() } }
        let lines = [
            #"{"do": "addTrack", "name": "Three", "request": "a"}"#,
            #"{"do": "editTrack", "track": "drums", "set": {"name": "Kit"}, "request": "b"}"#,
            #"{"do": "editTrack", "track": "bass", "set": {"name": "Gone"}, "request": "c"}"#,
            #"{"do": "undo", "request": "d"}"#, #"{"do": "undo", "request": "e"}"#, #"{"do": "redo", "request": "f"}"#,
            #"{"do": "toggle", "what": "mute", "track": "bass", "request": "g"}"#,
            #"{"do": "stepScene", "by": 2, "request": "h"}"#, #"{"do": "save", "request": "i"}"#,
        ]
        program.send(lines.joined(separator: "\n") + "\n")
        // Words of the script are answered when the engine has taken them, which may be after an edit that follows.
        for request in "abcdefghi" {
            let isAnswered = eventually { program.output.contains(#""request":"\#(request)""#) }
            #expect(isAnswered, "\(program.output) \(program.errors)")
        }
        let answers = try JSONLines.objects(program.output).filter { $0.text("event") == "ack" }
        #expect(Set(answers.compactMap { $0.text("request") }) == Set("abcdefghi".map(String.init)))
        #expect(answers.allSatisfy { ($0["ok"] as? NSNumber)?.boolValue == true }, "\(answers)")
        let saved = try String(contentsOfFile: set.session, encoding: .utf8)
        #expect(saved.contains("Three") && saved.contains("Kit") && !saved.contains("Gone"))
        program.send(#"{"do": "saveAs", "name": "Copy of it", "request": "j"}"# + "\n")
        #expect(eventually { program.output.contains(#""request":"j""#) })
        let data = try #require(Barline.environment["XDG_DATA_HOME"])
        #expect(FileManager.default.fileExists(atPath: data + "/barline/sessions/Copy of it.barline"))
        try? FileManager.default.removeItem(atPath: data + "/barline/sessions/Copy of it.barline")
        program.signal(SIGTERM)
        #expect(try program.wait().status == 143)
    }

    @Test("A reader of standard output that stalls keeps neither the script nor the end waiting")
    func stalledReader() throws {
        let set = try SmallSet(
            script: #"{"at": 0.2, "do": "launch", "clip": "a"}"# + "\n"
                + #"{"at": 0.4, "do": "stopNow", "track": "drums"}"#,
            settings: RunTests.quick)
        let pipe = set.folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        // Filled beforehand: the program's first line has no room.
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        let filling = [UInt8](repeating: 10, count: 4096)
        while write(descriptor, filling, filling.count) > 0 {}
        while write(descriptor, filling, 1) > 0 {}
        func arguments(_ more: [String]) -> [String] {
            let all = [Barline.path, "run", set.session, "--backend", "null", "--no-page", "--json"] + more
            return ["-c", "exec " + all.map { "'\($0)'" }.joined(separator: " ") + " > '\(pipe)'"]
        }
        let events = set.folder.path("events.jsonl")
        let outcome = try Program.run(
            "sh", arguments(["--script", set.script, "--events", events, "--duration", "0.8"]),
            environment: Barline.environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let kinds = try JSONLines.objects(String(contentsOfFile: events, encoding: .utf8)).compactMap {
            $0.text("event")
        }
        #expect(kinds.contains("clipStarted") && kinds.contains("clipStopped"))
        let program = try Program("sh", arguments([]), environment: Barline.environment)
        defer { program.end() }
        Thread.sleep(forTimeInterval: 0.5)
        program.signal(SIGTERM)
        #expect(try program.wait(timeout: 60).status == 143)
    }

    #if os(Linux)
        @Test("A log of events on a full disk ends nothing before its time; the exit status tells of it")
        func fullDisk() throws {
            let set = try SmallSet(settings: RunTests.quick)
            let outcome = try Barline.run(
                [
                    "run", set.session, "--backend", "null", "--no-page", "--script", set.script, "--duration", "0.5",
                    "--events", "/dev/full", "--record", set.folder.path("recorded.jsonl"),
                ])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("/dev/full: can't be written: No space left on device; playing goes on"))
            #expect(outcome.errors.contains("events are missing"))
            #expect(FileManager.default.fileExists(atPath: set.folder.path("recorded.jsonl")))
            var status = stat()
            #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
        }
    #endif

    @Test("Killed at any moment, the program has kept what was changed, whole, and takes it over the next time")
    func killed() throws {
        let set = try SmallSet(settings: RunTests.quick)
        let environment = Barline.environment.merging(["XDG_STATE_HOME": set.folder.path("state")]) { $1 }
        let arguments = ["run", set.session, "--backend", "null", "--no-page", "--json"]
        let copies = set.folder.path("state/barline/autosave")
        for round in 1...5 {
            let program = try Program(Barline.path, arguments, environment: environment)
            defer { program.end() }
            if round > 1 { program.send(#"{"do": "recover", "request": "r"}"# + "\n") }
            let name = #"{"name": "Bass \#(round)"}"#
            program.send(#"{"do": "editTrack", "track": "bass", "set": \#(name), "request": "kept"}"# + "\n")
            #expect(eventually { program.output.contains(#""request":"kept""#) }, "\(program.output)\(program.errors)")
            // It is on the disk soon, under a name that lasts; then it is killed while more is written.
            #expect(
                eventually {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: copies)) ?? []
                    return names.contains { name in
                        guard name.hasSuffix(".barline") || name.hasSuffix(".changes") else { return false }
                        return
                            (try? String(contentsOfFile: "\(copies)/\(name)", encoding: .utf8))?.contains(
                                "Bass \(round)")
                            == true
                    }
                })
            for number in 0..<(200 * round) {
                program.send(#"{"do": "editTrack", "track": "drums", "set": {"name": "Drums \#(number)"}}"# + "\n")
            }
            program.signal(SIGKILL)
            _ = try program.wait()
            for name in try FileManager.default.contentsOfDirectory(atPath: copies) where name.hasSuffix(".barline") {
                _ = try SessionDocument(path: "\(copies)/\(name)")
            }
        }
        let program = try Program(Barline.path, arguments, environment: environment)
        defer { program.end() }
        program.send(#"{"do": "recover"}"# + "\n" + #"{"do": "save", "request": "saved"}"# + "\n")
        #expect(eventually { program.output.contains(#""request":"saved""#) })
        let saved = try SessionDocument(path: set.session).tracks[1].name
        #expect(saved == "Bass 5")
        program.signal(SIGTERM)
        #expect(try program.wait().status == 143)
    }

    @Test(
        "Where a take went that its own folder did not take is the last thing that is said", arguments: [true, false])
    func lastWords(isJSON: Bool) throws {
        let folder = try TemporaryFolder()
        let session = try folder.write(
            "set.barline",
            #"{"barline": 1, "tempo": 240, "inputs": [{"name": "mic"}], "tracks": [{"id": "t", "input": "mic"}]}"#)
        // There can be no folder of that name.
        try folder.write("audio", Array("in the way".utf8))
        let program = try Program(
            Barline.path,
            ["run", session, "--backend", "null", "--no-page", "--input", "mic=sine:440"]
                + (isJSON ? ["--json"] : []),
            environment: Barline.environment.merging([
                "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
            ]) { $1 })
        defer { program.end() }
        program.send(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "take"}"# + "\n")
        let end = isJSON ? #""event":"recordEnded""# : "has 1.000 s"
        #expect(eventually { program.output.contains(end) }, "\(program.output) \(program.errors)")
        program.signal(SIGTERM)
        let outcome = try program.wait()
        #expect(outcome.status == 128 + SIGTERM)
        let said = outcome.output + outcome.errors
        let place = try #require(
            said.components(separatedBy: "the whole take is in ").dropFirst().first?.prefix { !"\"\n".contains($0) })
        #expect(try WaveContents(path: String(place)).frameCount >= 48_000)
    }
}
