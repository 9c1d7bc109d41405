import struct BarlineSession.SessionDocument
import BarlineTestSupport
import Foundation
import Testing

/// `kill -9` in the middle of work: what was done is there when the program starts again.
@Suite("Programs that are killed")
struct KilledTests {
    /// A program with folders of its own, killed and started again.
    private struct Killed {
        let set: SmallSet
        let environment: [String: String]

        init(_ settings: String = "") throws {
            set = try SmallSet(settings: #""launchQuantization": "none", "firstLaunch": "immediate", "# + settings)
            environment = Barline.environment.merging([
                "XDG_DATA_HOME": set.folder.path("data"), "XDG_STATE_HOME": set.folder.path("state"),
            ]) { $1 }
        }

        func start(_ more: [String] = []) throws -> Program {
            let program = try Program(
                Barline.path, ["run", set.session, "--backend", "null", "--no-page", "--json"] + more,
                environment: environment)
            try program.ask(#"{"do": "mute", "track": "bass", "on": false}"#)
            return program
        }

        func takes(_ arguments: [String] = []) throws -> [[String: Any]] {
            let outcome = try Program.run(Barline.path, ["takes", "--json"] + arguments, environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try JSONLines.objects(outcome.output)
        }
    }

    @Test(
        "A recording lacks at most its last second, can be played, and its script renders it", arguments: UInt64(1)...3)
    func recording(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let killed = try Killed()
        let program = try killed.start()
        try program.ask(#"{"do": "launch", "clip": "a"}"#)
        try program.ask(#"{"do": "record", "on": true}"#)
        let begin = Date()
        for _ in 0..<6 {
            Thread.sleep(forTimeInterval: Double.random(in: 0.05...0.5, using: &random))
            try program.ask(#"{"do": "launch", "clip": "\#(["a", "b", "c"][Int.random(in: 0..<3, using: &random)])"}"#)
        }
        Thread.sleep(forTimeInterval: Double.random(in: 0...1, using: &random))
        #expect(try killed.takes().isEmpty, "who records it lives")
        let recorded = -begin.timeIntervalSinceNow
        program.signal(SIGKILL)
        _ = try program.wait()

        let take = try #require(try killed.takes().first)
        let files = try #require(take["files"] as? [String])
        let wave = try WaveContents(path: files[1])
        let seconds = Double(wave.frameCount) / 48_000
        #expect(seconds > recorded - 1, "\(seconds) of \(recorded)")
        #expect(wave.channels[0].contains { abs($0) > 0.05 })
        let output = killed.set.folder.path("again.wav")
        let render = try Barline.run(["render", "--script", files[0], "--output", output])
        #expect(render.status == 0, "\(render.errors)")
        #expect(try WaveContents(path: output).channels == wave.channels)
        // The next program tells of it.
        let next = try killed.start()
        #expect(eventually { next.errors.contains("broken off and is rescued: \(take["name"] ?? "")") })
        next.end()
        #expect(try killed.takes(["--keep", try #require(take["name"] as? String)]).isEmpty)
        #expect(files.allSatisfy(FileManager.default.fileExists))
    }

    @Test(
        "A take that ends with the program is offered once, as a clip with all of its sound",
        arguments: [SIGINT, SIGTERM])
    func endedTake(signal: Int32) throws {
        let killed = try Killed(#""inputs": [{"name": "mic", "channels": [1]}], "#)
        let sound = (0..<480_000).map { 0.3 * sin(Double($0) / 20) }
        let input = ["--input", "mic=" + (try killed.set.folder.write("mic.wav", WaveFile(sound).bytes))]
        let program = try killed.start(input)
        try program.ask(#"{"do": "recordClip", "track": "bass", "slot": 5, "input": "mic", "id": "take"}"#)
        Thread.sleep(forTimeInterval: 2)
        program.signal(signal)
        _ = try program.wait()
        #expect(try killed.takes().isEmpty)
        let next = try killed.start()
        try next.ask(#"{"do": "recover"}"#)
        try next.ask(#"{"do": "saveAs", "name": "Again"}"#)
        try next.ask(#"{"do": "launch", "clip": "take"}"#)
        next.end()
        let path = killed.set.folder.path("data/barline/sessions/Again.barline")
        let document = try SessionDocument(path: path)
        let clip = try #require(document.tracks.lazy.flatMap(\.clips).first { $0.id == "take" })
        let file = URL(fileURLWithPath: clip.file, relativeTo: URL(fileURLWithPath: path)).path
        let wave = try WaveContents(path: file)
        #expect(wave.frameCount >= clip.end ?? .max && (clip.end ?? 0) - clip.start > 48_000)
        #expect(wave.channels[0][clip.start..<(clip.end ?? 0)].contains { abs($0) > 0.25 })
    }

    @Test("Of edits, at most the last second is lost, and nothing is damaged", arguments: UInt64(1)...6)
    func edits(seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let killed = try Killed()
        let program = try killed.start()
        var done: [(index: Int, time: Date)] = []
        let end = Date(timeIntervalSinceNow: Double.random(in: 1.2...3, using: &random))
        var index = 0
        while Date() < end {
            index += 1
            try program.ask(#"{"do": "editTrack", "track": "bass", "set": {"name": "Name \#(index)"}}"#)
            done.append((index, Date()))
            Thread.sleep(forTimeInterval: Double.random(in: 0...0.1, using: &random))
        }
        let death = Date()
        program.signal(SIGKILL)
        _ = try program.wait()
        let safe = done.last { $0.time < death.addingTimeInterval(-1.2) }?.index ?? 0
        let next = try killed.start()
        try next.ask(#"{"do": "recover"}"#)
        try next.ask(#"{"do": "saveAs", "name": "Again"}"#)
        next.end()
        let saved = try killed.set.folder.text("data/barline/sessions/Again.barline")
        let found = try #require(saved.firstMatch(of: /Name (\d+)/).flatMap { Int($0.1) })
        #expect(found >= safe && found <= index)
    }
}

extension Program {
    /// Asks for something in a line of JSON, and waits for the answer.
    fileprivate func ask(_ action: String) throws {
        let before = answers
        send(action + "\n")
        let isAnswered = eventually { answers > before }
        #expect(isAnswered, "\(action): \(errors)")
        #expect(!output.contains(#""ok":false"#), "\(output)")
    }

    private var answers: Int { output.components(separatedBy: #""ok":"#).count }
}
