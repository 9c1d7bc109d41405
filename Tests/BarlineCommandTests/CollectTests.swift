import BarlineTestSupport
import Foundation
import Testing

/// `barline collect`.
@Suite("Collecting a session from the command line")
struct CollectTests {
    @Test("What was collected renders the same in another place, without the files it was made of")
    func elsewhere() throws {
        let set = try ScatteredSet()
        let script = try set.folder.write(
            "script.jsonl",
            """
            {"at": 0, "do": "launch", "clip": "a"}
            {"at": 0, "do": "launch", "clip": "c"}
            {"at": 1, "do": "launch", "clip": "b"}
            {"at": 0, "do": "stems", "action": "play"}
            {"at": 0.5, "do": "playlist", "action": "play"}
            {"at": 0.25, "do": "metronome", "on": true}
            """)
        func sound(_ session: String) throws -> [UInt8] {
            let output = set.folder.path("out.wav")
            let outcome = try Barline.run(
                ["render", session, "--script", script, "--duration", "4", "--output", output])
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            return try set.folder.bytes("out.wav")
        }
        let expected = try sound(set.session)
        let outcome = try Barline.run(["collect", set.session, set.folder.path("new/stick"), "--json"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let report = try #require(try JSONLines.objects(outcome.output).first)
        #expect(report.text("session") == set.folder.path("new/stick/set.barline"))
        // Two names of one file are one, two files of one name are two.
        #expect(report.integer("files") == 6)
        let names = try FileManager.default.contentsOfDirectory(atPath: set.folder.path("new/stick/audio"))
        #expect(names.sorted() == ["Loop 2.wav", "a+b ループ.wav", "loop.wav", "song.wav", "stem_ 1.wav", "tick.wav"])
        #expect(
            try names.reduce(0) { try $0 + set.folder.bytes("new/stick/audio/\($1)").count } == report.integer("bytes"))
        try FileManager.default.moveItem(atPath: set.folder.path("new/stick"), toPath: set.folder.path("moved"))
        for name in ["one", "two", "set"] { try FileManager.default.removeItem(atPath: set.folder.path(name)) }
        #expect(try (sound(set.folder.path("moved/set.barline")) == expected) as Bool)
    }

    @Test("What is missing is named, has its place, and fails the command; the rest is collected")
    func missing() throws {
        let set = try ScatteredSet()
        let lost = [set.folder.path("one/loop.wav"), set.folder.path("set/link.wav")]
        let kept = try set.folder.bytes("one/loop.wav")
        try FileManager.default.removeItem(atPath: lost[0])
        let outcome = try Barline.run(["collect", set.session, set.folder.path("stick")])
        #expect(outcome.status == 1)
        #expect(outcome.errors == lost.map { "barline: \($0): is missing\n" }.joined(), "\(outcome.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: set.folder.path("stick/audio"))
        #expect(names.count == 5 && !names.contains("loop.wav"))
        for name in ["loop.wav", "link.wav"] { try set.folder.write("stick/audio/\(name)", kept) }
        let again = try Barline.run(["collect", set.folder.path("stick/set.barline"), set.folder.path("whole")])
        #expect(again.status == 0 && again.errors.isEmpty, "\(again.errors)")
    }

    @Test("A folder that has something in it is left as it is")
    func notEmpty() throws {
        let set = try SmallSet()
        let names = try set.folder.names()
        let outcome = try Barline.run(["collect", set.session, set.folder.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "barline: \(set.folder.path): is not empty: name a new folder\n")
        #expect(try set.folder.names() == names)
    }

    @Test("A disk that is too small is told of, and is as empty as before", .enabled(if: SmallDisk.canBeMade))
    func full() throws {
        let set = try SmallSet()
        let disk = try SmallDisk(at: set.folder.folder("stick"), bytes: 256 << 10)
        let outcome = try Barline.run(["collect", set.session, disk.path])
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == "barline: \(set.folder.path("b.wav")): can't be copied: No space left on device\n",
            "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
    }
}

/// A session whose files are in several folders, with names that others have or that some disks can't have.
private struct ScatteredSet {
    let folder: TemporaryFolder

    var session: String { folder.path("set/set.barline") }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["one", "two", "set"] { _ = try folder.folder(name) }
        var random = TestRandom(seed: 9)
        func noise(_ count: Int) -> [UInt8] { WaveFile((0..<count).map { _ in 0.1 * random.amplitude() }).bytes }
        try folder.write("one/loop.wav", noise(36_000))
        try folder.write("two/Loop.wav", noise(30_000))
        try folder.write("two/a+b ループ.wav", noise(24_000))
        try folder.write("two/stem: 1.wav", noise(96_000))
        try folder.write("one/song.wav", noise(60_000))
        try folder.write("set/tick.wav", noise(400))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("set/link.wav"), withDestinationPath: folder.path("one/loop.wav"))
        try folder.write(
            "set/set.barline",
            """
            {"barline": 1, "tempo": 120, "scenes": [{"name": "First"}, {"name": "Second"}],
             "tracks": [
              {"id": "drums", "clips": [{"id": "a", "file": "../one/loop.wav", "beats": 2}]},
              {"id": "more", "clips": [{"id": "c", "file": "\(folder.path("two/Loop.wav"))", "beats": 1}]},
              {"id": "bass", "clips": [
                {"id": "b", "file": "../two/a+b ループ.wav", "beats": 1}, {"id": "d", "file": "link.wav", "beats": 2}]}],
             "stems": [{"id": "s", "file": "../two/stem: 1.wav"}],
             "playlist": [{"id": "p", "file": "../one/song.wav"}],
             "metronome": {"file": "tick.wav"}}
            """)
    }
}
