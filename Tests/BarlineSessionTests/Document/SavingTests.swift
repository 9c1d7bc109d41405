import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// What is read is written again, and a file is replaced as a whole.
@Suite("Saving a session", .fewAtATime)
struct SavingTests {
    @Test("Keys of other versions survive at every level")
    func unknownKeys() throws {
        let folder = try SessionFolder()
        let document = try folder.document(
            """
            {"barline": 1, "x1": {"deep": [1, 2.5, "three", null, true, {"four": 4}]},
             "master": {"x2": "two"},
             "tracks": [{"id": "t", "x3": 3.25, "clips": [{"id": "a", "file": "a.wav", "x4": [false]}]}],
             "scenes": [{"x5": null}]}
            """)
        try document.write(to: folder.path)
        let object = try JSONSerialization.jsonObject(with: Data(try folder.folder.bytes("set.barline")))
        let saved = try #require(object as? [String: Any])
        let deep = try #require((saved["x1"] as? [String: Any])?["deep"] as? [Any])
        #expect(deep.count == 6)
        #expect((deep[1] as? NSNumber)?.doubleValue == 2.5)
        #expect((deep[5] as? [String: Any])?.integer("four") == 4)
        #expect((saved["master"] as? [String: Any])?.text("x2") == "two")
        let track = try #require((saved["tracks"] as? [[String: Any]])?.first)
        #expect(track.number("x3") == 3.25)
        let clip = try #require((track["clips"] as? [[String: Any]])?.first)
        #expect(clip["x4"] as? [Bool] == [false])
        let scene = try #require((saved["scenes"] as? [[String: Any]])?.first)
        #expect(scene["x5"] is NSNull)
    }

    @Test("Whole numbers of other versions keep all their digits")
    func longIntegers() throws {
        let folder = try SessionFolder()
        try folder.document(#"{"barline": 1, "stamp": 9007199254740993, "least": -9223372036854775808}"#)
            .write(to: folder.path)
        let text = try folder.folder.text("set.barline")
        #expect(text.contains("9007199254740993"))
        #expect(text.contains("-9223372036854775808"))
    }

    @Test("Every value comes back as it was")
    func roundTrip() throws {
        var document = SessionDocument()
        document.name = "Ünïcode \"quoted\" \\ \u{1F941}\n"
        document.tempo = 133.33333333333334
        document.timeSignature = try #require(TimeSignature(7, 8))
        document.launchQuantization = try #require(Quantization("1/8t"))
        document.firstLaunch = .immediate
        document.snapTolerance = 0.1
        document.masterGain = -.infinity
        var track = TrackDocument(id: "t/1", name: "")
        track.gain = -6.02
        track.pan = -0.3
        track.mute = true
        track.solo = true
        track.output = "phones"
        var clip = ClipDocument(id: "c", name: "C", file: "../a b/ü.wav", slot: 7)
        clip.bpm = 97.1
        clip.beats = 3.5
        clip.start = 12
        clip.end = 4_000_000_000
        clip.gain = 3
        clip.loop = false
        clip.playback = .original
        clip.launchMode = .repeat
        clip.startPosition = .legato
        clip.quantization = Quantization.none
        clip.color = "#010203"
        clip.fadeIn = 0
        clip.fadeOut = 12.5
        track.clips = [clip]
        document.tracks = [track]
        var scene = SceneDocument(name: "One")
        scene.tempo = 90.5
        document.scenes = [scene]
        let folder = try SessionFolder()
        try document.write(to: folder.path)
        #expect(try SessionDocument(path: folder.path) == document)
    }

    @Test("A level that is none is not written", arguments: [Double.nan, .infinity, 61])
    func noLevel(gain: Double) throws {
        let folder = try SessionFolder()
        var documents = [SessionDocument(), SessionDocument()]
        documents[0].masterGain = gain
        documents[1].tracks = [TrackDocument(id: "t", name: "T")]
        documents[1].tracks[0].gain = gain
        for document in documents {
            #expect(throws: SessionError.self) { try document.write(to: folder.path) }
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test("The same session is the same bytes")
    func determinism() throws {
        let folder = try SessionFolder()
        let document = try folder.document(ExampleTests.text)
        try document.write(to: folder.path)
        let first = try folder.folder.bytes("set.barline")
        try SessionDocument(path: folder.path).write(to: folder.path)
        #expect(try folder.folder.bytes("set.barline") == first)
        #expect(first.last == 10)
    }

    @Test("Its text is that of its JSON, however many items it has", arguments: [0, 1, 600])
    func text(items: Int) throws {
        var document = try SessionFolder().document(ExampleTests.text)
        document.playlist = (0..<items).map { PlaylistItemDocument(id: "i\($0)", file: "\($0 % 3).wav") }
        #expect(String(decoding: document.text, as: UTF8.self) == JSONText.document(document.json))
    }

    @Test("A save leaves nothing behind but the session")
    func noLeftovers() throws {
        let folder = try SessionFolder()
        try SessionDocument().write(to: folder.path)
        try SessionDocument().write(to: folder.path)
        #expect(try folder.folder.names() == ["set.barline"])
    }

    @Test("A save that fails leaves the old file and says why")
    func failure() throws {
        let folder = try SessionFolder()
        let path = folder.folder.path("nowhere/set.barline")
        let error = try #require(throws: SessionError.self) { try SessionDocument().write(to: path) }
        #expect("\(error)".hasPrefix("\(path): can't be written: "), "\(error)")
        try folder.folder.folder("taken")
        let taken = folder.folder.path("taken")
        #expect(throws: SessionError.self) { try SessionDocument().write(to: taken) }
        #expect(try folder.folder.names() == ["taken"])
    }

    @Test(
        "A disk that is full, and one that can't be written, leave the old file and nothing else",
        .enabled(if: SmallDisk.canBeMade))
    func disks() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.folder("disk"), bytes: 1 << 20)
        let path = disk.path + "/set.barline"
        var document = SessionDocument()
        document.name = "Old"
        try document.write(to: path)
        let old = try folder.bytes("disk/set.barline")
        document.name = String(repeating: "New", count: 30_000)
        try disk.fill()
        let full = try #require(throws: SessionError.self) { try document.write(to: path) }
        #expect("\(full)" == "\(path): can't be written: No space left on device")
        disk.empty()
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["set.barline"])
        try disk.protect()
        let protected = try #require(throws: SessionError.self) { try document.write(to: path) }
        #expect("\(protected)" == "\(path): can't be written: Read-only file system")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["set.barline"])
        #expect(try folder.bytes("disk/set.barline") == old)
    }
}
