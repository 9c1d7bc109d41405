import BarlineTestSupport
import Foundation
import Testing

/// `barline run --record`: a performance becomes a script.
@Suite("Recording from the command line")
struct RecordTests {
    @Test("Rendering the recorded script, everything happens on the same frames")
    func sameEvents() throws {
        let set = try SmallSet(
            script: """
                {"at": 0, "do": "launch", "clip": "a"}
                {"at": 0.9, "do": "tempo", "bpm": 141, "ramp": 1}
                """, settings: #""launchQuantization": "1/8", "#)
        let program = try Barline.start(
            [
                "run", set.session, "--backend", "null", "--script", set.script, "--record",
                set.folder.path("recorded.jsonl"), "--events", set.folder.path("live.jsonl"),
            ])
        defer { withExtendedLifetime(set) { program.end() } }
        let actions = [
            #"{"do": "launch", "clip": "b"}"#, #"{"do": "gain", "track": "bass", "db": -7.5}"#,
            #"{"do": "launch", "clip": "c"}"#, #"{"do": "mute", "track": "drums", "on": true}"#,
            #"{"do": "stop", "track": "drums"}"#, #"{"do": "launchScene", "scene": 0}"#,
        ]
        #expect(eventually { program.output.contains("transport rolls") })
        for action in actions {
            Thread.sleep(forTimeInterval: 0.25)
            program.send(action + "\n")
        }
        // The scene begins the drums once more, which the last action but one had stopped.
        #expect(eventually { program.output.components(separatedBy: "▶ Drum kit: Noise").count == 3 })
        Thread.sleep(forTimeInterval: 0.4)
        program.signal(SIGINT)
        #expect(try program.wait().status == 130)

        let recorded = try set.folder.text("recorded.jsonl")
        #expect(recorded.split(separator: "\n").count >= 8)
        let render = try Barline.run(
            [
                "render", set.session, "--script", set.folder.path("recorded.jsonl"), "--duration", "10", "--output",
                set.folder.path("again.wav"), "--events", set.folder.path("again.jsonl"),
            ])
        #expect(render.status == 0)
        // The live run ends by stopping everything at once, which the recording leaves out.
        let live = try set.folder.text("live.jsonl").split(separator: "\n")
        let ends = try JSONLines.objects(live.joined(separator: "\n")).compactMap { $0.integer("frame") }.max() ?? 0
        func untilEnd(_ lines: [Substring]) throws -> [Substring] {
            let frames = try JSONLines.objects(lines.joined(separator: "\n")).map { $0.integer("frame") ?? 0 }
            return zip(lines, frames).filter { $1 < ends - 4800 }.map(\.0)
        }
        let happened = try untilEnd(live)
        #expect(happened.contains { $0.contains("clipStarted") })
        #expect(try untilEnd(try set.folder.text("again.jsonl").split(separator: "\n")) == happened)
    }

    @Test("A script that can't be written is no secret until the end: it is said at once, and when it can be again")
    func notWritten() throws {
        let set = try SmallSet(script: #"{"at": 0, "do": "launch", "clip": "a"}"#)
        let (folder, manager) = (set.folder.path("disk"), FileManager.default)
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let program = try Barline.start(
            [
                "run", set.session, "--backend", "null", "--no-page", "--script", set.script, "--record",
                folder + "/recorded.jsonl",
            ])
        defer { withExtendedLifetime(set) { program.end() } }
        #expect(eventually { program.output.contains("transport rolls") })
        try manager.removeItem(atPath: folder)
        program.send(#"{"do": "gain", "track": "bass", "db": -7.5}"# + "\n")
        #expect(eventually { (program.output + program.errors).contains("recorded.jsonl: can't be written") })
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(eventually { (program.output + program.errors).contains("recorded.jsonl is written again") })
        #expect(try String(contentsOfFile: folder + "/recorded.jsonl", encoding: .utf8).contains("-7.5"))
        program.signal(SIGINT)
        #expect(try program.wait().status == 130)
    }

    @Test("A program that is killed leaves what was done up to some seconds before, in a script that renders")
    func killed() throws {
        let set = try SmallSet(script: #"{"at": 0, "do": "launch", "clip": "a"}"#)
        let record = set.folder.path("recorded.jsonl")
        let program = try Barline.start(["run", set.session, "--backend", "null", "--record", record])
        defer { withExtendedLifetime(set) { program.end() } }
        #expect(eventually { program.output.contains("transport rolls") || !program.output.isEmpty })
        program.send(#"{"do": "launch", "clip": "b"}"# + "\n")
        #expect(eventually { (try? set.folder.text("recorded.jsonl").contains("\"b\"")) == true })
        program.send(#"{"do": "gain", "track": "bass", "db": -7.5}"# + "\n")
        #expect(eventually { (try? set.folder.text("recorded.jsonl").contains("-7.5")) == true }, "and again")
        program.signal(SIGKILL)
        _ = try program.wait()
        let render = try Barline.run(
            [
                "render", set.session, "--script", record, "--duration", "1", "--output", set.folder.path("again.wav"),
            ])
        #expect(render.status == 0)
    }
}
