import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// The copy of what was not saved, and what is added to it edit by edit.
@Suite("Autosave's journal", .fewAtATime)
struct AutosaveJournalTests {
    private let folder: TemporaryFolder
    private let place: Autosave

    init() throws {
        folder = try TemporaryFolder()
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: folder.path("data"), isDirectory: true),
            state: URL(fileURLWithPath: folder.path("state"), isDirectory: true))
        place = Autosave(of: folder.path("set.barline"), in: library)
    }

    private func clip(_ number: Int, slot: Int) -> ClipDocument {
        var clip = ClipDocument(id: "c\(number)", name: "Clip \(number)", file: "a.wav", slot: slot)
        if number % 3 == 0 { clip.rest["later"] = ["key": [1, .number(Double(number))]] }
        return clip
    }

    /// A session that was changed in one of the ways in which sessions are.
    private func changed(_ old: SessionDocument, _ number: Int, _ random: inout TestRandom) throws -> SessionDocument {
        var document = old
        let tracks = document.tracks.count
        switch random.int(0...9) {
        case 0: document.tempo = Double(60 + number % 100)
        case 1: document.tracks.insert(TrackDocument(id: "t\(number)", name: "Größe 🎹"), at: random.int(0...tracks))
        case 2 where tracks > 0: document.tracks.remove(at: random.int(0...tracks - 1))
        case 3 where tracks > 0: document.tracks[random.int(0...tracks - 1)].gain = Double(-number % 60)
        case 4 where tracks > 0:
            let track = random.int(0...tracks - 1)
            document.tracks[track].clips.append(clip(number, slot: document.tracks[track].clips.count))
        case 5 where tracks > 0:
            for index in document.tracks[0].clips.indices {
                document.tracks[0].clips[index].gain = Double(-number % 50)
            }
        case 6:
            let place = random.int(0...document.playlist.count)
            document.playlist.insert(PlaylistItemDocument(id: "p\(number)", file: "b \(number).wav"), at: place)
        case 7 where document.playlist.count > 1: document.playlist.swapAt(0, document.playlist.count - 1)
        case 8: document.rest["later\(number % 3)"] = [.number(Double(number)), "x"]
        default: document.scenes.append(SceneDocument(name: "Scene \(number)"))
        }
        return try SessionDocument(document.json, file: "test")
    }

    @Test("Changes whose first line names nothing but the copy, as earlier versions wrote it, are read")
    func earlier() throws {
        var document = SessionDocument()
        let journal = try #require(try AutosaveJournal.begin(document, at: place))
        document.tempo = 91
        #expect(journal.append(document))
        let lines = try String(contentsOfFile: place.changes, encoding: .utf8).split(separator: "\n")
        let first = try JSONValue(parsing: Data(lines[0].utf8))
        guard case .object(let values) = first, case .string(let copy)? = values["of"] else {
            Issue.record("the first line is \(lines[0])")
            return
        }
        try "{\"of\":\"\(copy)\"}\n\(lines[1])\n".write(toFile: place.changes, atomically: true, encoding: .utf8)
        #expect(try place.read().tempo == 91)
    }

    @Test("After any edit the copy with its changes is the session; cut off anywhere it is one that the session was")
    func edits() throws {
        var random = TestRandom(seed: 21)
        var document = SessionDocument()
        var history = [document]
        let journal = try #require(try AutosaveJournal.begin(document, at: place))
        for number in 0..<300 {
            document = try changed(document, number, &random)
            #expect(journal.append(document))
            history.append(document)
            if number % 10 == 0 { #expect(try place.read() == document) }
        }
        #expect(try place.read() == document)
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: place.changes)))
        for _ in 0..<60 {
            let cut = random.int(0...bytes.count)
            try Data(bytes[..<cut]).write(to: URL(fileURLWithPath: place.changes))
            // The first line is the name of the copy; an edit that changed nothing has none.
            let found = try place.read()
            #expect(history.contains(found))
            let wholeLines = bytes[..<cut].count { $0 == UInt8(ascii: "\n") }
            #expect(wholeLines > 1 || found == history[0])
        }
        // Rubbish in it ends what is read, and nothing else.
        for _ in 0..<60 {
            var broken = bytes
            broken[random.int(0...bytes.count - 1)] = UInt8(random.int(0...255))
            try Data(broken).write(to: URL(fileURLWithPath: place.changes))
            _ = try? place.read()
        }
    }

    @Test("Changes of another copy are not taken for its own")
    func foreign() throws {
        var document = SessionDocument()
        let journal = try #require(try AutosaveJournal.begin(document, at: place))
        document.name = "First"
        #expect(journal.append(document))
        // As after a crash between the new copy and its first change.
        var next = document
        next.name = "Second"
        try next.write(to: place.path)
        #expect(try place.read().name == "Second")
    }

    @Test("An edit of a large session is short, and many of them become a new copy")
    func sizes() throws {
        var document = SessionDocument()
        for index in 0..<32 {
            var track = TrackDocument(id: "t\(index)", name: "Track \(index)")
            track.clips = (0..<64).map { clip(1_000 * index + $0, slot: $0) }
            document.tracks.append(track)
        }
        document.playlist = (0..<2_000).map { PlaylistItemDocument(id: "p\($0)", file: "\($0).wav") }
        let journal = try #require(try AutosaveJournal.begin(document, at: place))
        func size(_ path: String) throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path)).count }
        let before = try size(place.changes)
        document.tracks[7].gain = -3
        document.tracks[30].clips[60].name = "Other"
        document.playlist.insert(PlaylistItemDocument(id: "new", file: "new.wav"), at: 1_000)
        #expect(journal.append(document))
        #expect(try size(place.changes) - before < 2_000)
        #expect(try size(place.path) > 100_000)
        #expect(try place.read() == document)
        var count = 0
        repeat {
            document.tracks[count % 32].gain = -Double(count % 500) / 10
            count += 1
        } while journal.append(document) && count < 100_000
        #expect(count < 100_000)
        #expect(try size(place.changes) < 2 * size(place.path))
    }

    @Test("A journal that was taken away takes nothing more")
    func takenAway() throws {
        var document = SessionDocument()
        for takeAway in [place.remove, { unlink(place.changes) }, { unlink(place.path) }] as [() -> Void] {
            let journal = try #require(try AutosaveJournal.begin(document, at: place))
            document.name += "x"
            #expect(journal.append(document))
            takeAway()
            document.name += "y"
            #expect(!journal.append(document))
        }
    }

    @Test(
        "On a disk that is full the copy keeps what it had; with room again it has what came",
        .enabled(if: SmallDisk.canBeMade))
    func fullDisk() throws {
        let disk = try SmallDisk(at: folder.folder("state"), bytes: 256 << 10)
        var document = SessionDocument()
        let journal = try #require(try AutosaveJournal.begin(document, at: place))
        document.name = "Kept"
        #expect(journal.append(document))
        let kept = document
        let filler = folder.path("state/filler")
        #expect(FileManager.default.createFile(atPath: filler, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: filler))
        while (try? file.write(contentsOf: Data(count: 1 << 12))) != nil {}
        document.tracks = (0..<400).map { TrackDocument(id: "t\($0)", name: String(repeating: "long ", count: 8)) }
        #expect(!journal.append(document))
        #expect(try place.read() == kept)
        try file.truncate(atOffset: 0)
        #expect(journal.append(document))
        #expect(try place.read() == SessionDocument(document.json, file: "test"))
        withExtendedLifetime(disk) {}
    }
}
