import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Recordings that are broken off: by a program that is killed, by a disk that is full.
@Suite("Recordings that are broken off", .fewAtATime)
struct TakeRecoveryTests {
    /// A library with a copy of what is on the disk of another one at this moment: what a crash would leave.
    private func crash(_ stage: TakeStage, _ name: String) throws -> SessionLibrary {
        // What is on its way to the disk arrives; a killed program's last pieces may be missing, which cuts show.
        let copy = stage.folder.folder.path(name)
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: stage.session.library.recordings.path, toPath: copy + "/recordings")
        return SessionLibrary(
            folder: URL(fileURLWithPath: copy, isDirectory: true), state: URL(fileURLWithPath: copy + "/state"))
    }

    private func cut(_ file: URL, _ random: inout TestRandom) throws {
        let bytes = try Data(contentsOf: file)
        let length = Int.random(in: bytes.count * 3 / 4...bytes.count, using: &random)
        try bytes.prefix(length).write(to: file)
    }

    @Test("What is left can be played, and its script renders the very samples", arguments: UInt64(1)...4)
    func killed(seed: UInt64) async throws {
        var random = TestRandom(seed: seed)
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(Int.random(in: 10_000...40_000, using: &random))
        let first = stage.stage.left.count
        try await stage.act(#"{"do": "record", "on": true}"#)
        for _ in 0..<12 {
            stage.play(Int.random(in: 500...20_000, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try await stage.act(#"{"do": "launch", "clip": "b"}"#)
            case 1: try await stage.act(#"{"do": "gain", "track": "t", "db": -9, "at": 0.05}"#)
            case 2: try await stage.act(#"{"do": "editTrack", "track": "u", "set": {"pan": -0.5}}"#)
            case 3: try await stage.act(#"{"do": "launchScene", "scene": 1}"#)
            default: try await stage.act(#"{"do": "tempo", "bpm": \#(Int.random(in: 90...170, using: &random))}"#)
            }
        }
        stage.play(30_000)
        #expect(try eventually { try TakeRecoveryTests.bytes(of: stage) >= 8 * (stage.stage.left.count - first) })
        #expect(TakeRecovery.takes(in: stage.session.library).isEmpty, "it is recorded still")
        let library = try crash(stage, "crashed")
        let files = try FileManager.default.contentsOfDirectory(at: library.recordings, includingPropertiesForKeys: nil)
        #expect(files.map(\.pathExtension).sorted() == ["unfinished", "wav"])
        // Of the sound, less may have come to the disk.
        try cut(try #require(files.first { $0.pathExtension == "wav" }), &random)
        let take = try #require(TakeRecovery.takes(in: library).first)
        #expect(TakeRecovery.takes(in: library) == [take], "it is offered until it is answered")
        #expect(take.files.map(\.name) == ["\(take.name).jsonl", "\(take.name).wav"])
        let heard = try WaveContents(path: take.files[1].path)
        #expect(heard.channels[0] == Array(stage.stage.left[first..<first + heard.frameCount]))
        #expect(heard.frameCount > 25_000 && abs(take.seconds - Double(heard.frameCount) / 48_000) < 1e-9)
        let rendered = try await stage.render(try PerformanceScript(path: take.files[0].path))
        #expect(rendered.channels == heard.channels)
        try take.keep()
        #expect(TakeRecovery.takes(in: library).isEmpty)
        #expect(FileManager.default.fileExists(atPath: take.files[1].path))
        // The one that was not broken off is completed as ever.
        try await stage.act(#"{"do": "record", "on": false}"#)
        let (whole, again, _) = try await stage.take()
        #expect(whole.channels == again.channels)
        let names = try FileManager.default.contentsOfDirectory(atPath: stage.session.library.recordings.path)
        #expect(names.count == 2)
    }

    /// The sound that is on the disk.
    private static func bytes(of stage: TakeStage) throws -> Int {
        let folder = stage.session.library.recordings
        let name = try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".wav") }
        let file = folder.appendingPathComponent(try #require(name)).path
        return try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
    }

    @Test("A script that was cut in the middle of a line is offered up to the line before it")
    func cutJournal() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "record", "on": true, "audio": false}"#)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(9_600)
        try await stage.act(#"{"do": "launch", "clip": "c"}"#)
        stage.play(9_600)
        let library = stage.session.library
        #expect(
            try eventually {
                try FileManager.default.contentsOfDirectory(at: library.recordings, includingPropertiesForKeys: nil)
                    .contains { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n").count == 3 }
            })
        let crashed = try crash(stage, "crashed")
        let file = try #require(
            try FileManager.default.contentsOfDirectory(at: crashed.recordings, includingPropertiesForKeys: nil).first)
        try Data(contentsOf: file).dropLast(9).write(to: file)
        let take = try #require(TakeRecovery.takes(in: crashed).first)
        let script = try PerformanceScript(path: take.files[0].path)
        #expect(script.entries.map(\.action) == [.launch(clip: "a")])
        try take.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: crashed.recordings.path).isEmpty)
    }

    @Test("A session offers what was broken off, and keeps it or throws it away when that is asked for")
    func answered() async throws {
        let stage = try await TakeStage()
        for _ in 0..<2 {
            try await stage.act(#"{"do": "record", "on": true}"#)
            stage.play(48_000)
            try await stage.act(#"{"do": "record", "on": false}"#)
        }
        // The same two, as a crash would have left them.
        let folder = stage.session.library.recordings
        let names = stage.session.recordings.filter { $0.name.hasSuffix(".jsonl") }.map { String($0.name.dropLast(6)) }
        for name in names {
            try Data().write(to: folder.appendingPathComponent(name + ".unfinished"))
        }
        stage.session.recoverTakes()
        #expect(stage.session.recoveredTakes.map(\.name) == names)
        #expect(stage.session.recoveredTakes.map(\.seconds) == [1, 1])
        try await stage.act(#"{"do": "keepTake", "name": "\#(names[0])"}"#)
        try await stage.act(#"{"do": "discardTake", "name": "\#(names[1])"}"#)
        await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "discardTake", "name": "\#(names[1])"}"#)
        }
        #expect(stage.session.recoveredTakes.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(left == [names[0] + ".jsonl", names[0] + ".wav"])
    }

    @Test("A full disk is reported before, ends the recording and keeps it", .enabled(if: SmallDisk.canBeMade))
    func fullDisk() async throws {
        let stage = try await TakeStage()
        let disk = try SmallDisk(at: stage.folder.folder.folder("library"), bytes: 40 << 20)
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        try await stage.act(#"{"do": "record", "on": true}"#)
        var notices: [SessionNotice] = []
        for _ in 0..<130 {
            stage.play(48_000, block: 1_024)
            if stage.session.recording == nil { break }
        }
        // What waits for the disk may not have come to it yet.
        #expect(
            eventually {
                stage.play(256)
                return stage.session.recording == nil
            })
        #expect(eventually { stage.session.recordings.count == 2 })
        notices += stage.session.takeNotices()
        let texts = notices.map(\.text)
        try #require(texts.count == 3)
        #expect(texts[0].hasPrefix("the disk has room for 1:4"))
        #expect(texts[1].hasPrefix("the disk has room for 0:59") || texts[1].hasPrefix("the disk has room for 1:00"))
        #expect(texts[2].hasPrefix("the recording has ended after 1:4"))
        #expect(texts[2].hasSuffix("No space left on device"))
        let (heard, rendered, script) = try await stage.take()
        #expect(heard.frameCount > 95 * 48_000 && script.beginning?.frames == Int64(heard.frameCount))
        #expect(heard.channels[0] == Array(stage.stage.left[..<heard.frameCount]))
        #expect(rendered.channels == heard.channels)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path + "/recordings").count == 2)
        await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "record", "on": false}"#) }
        // There is none that could begin, and when there is room again there is.
        try disk.fill()
        await #expect(throws: SessionError.self) { try await stage.act(#"{"do": "record", "on": true}"#) }
        disk.empty()
        for take in stage.session.recordings { unlink(take.path) }
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(4_800)
        try await stage.act(#"{"do": "record", "on": false}"#)
    }
}
