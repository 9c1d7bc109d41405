import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// A session some of whose files are not where it says.
@Suite("Missing files", .fewAtATime)
struct FindFilesTests {
    private let folder: SessionFolder
    private let session: LiveSession
    private let stage: Stage

    init() async throws {
        folder = try SessionFolder()
        try folder.folder.write("b.wav", Sound.tone(48_000, cycles: 220))
        let document = try folder.document(
            #"""
            {"barline": 1, "launchQuantization": "none",
             "tracks": [{"id": "t", "clips": [
               {"id": "a", "file": "loops/drums/Café.wav", "beats": 4, "slot": 0, "playback": "original"},
               {"id": "b", "file": "b.wav", "beats": 2, "slot": 1},
               {"id": "c", "file": "loops/Bass.wav", "beats": 2, "slot": 2}]}],
             "pads": [{"id": "p", "file": "loops/drums/Café.wav", "slot": 0}],
             "stems": [{"id": "s", "file": "loops/drums/Café.wav"}, {"id": "r", "file": "b.wav"}],
             "playlist": [{"id": "i", "file": "loops/drums/Café.wav"}]}
            """#)
        let player = try await SessionPlayer(document, path: folder.path, policy: .lenient) { $0.reserveForEditing() }
        stage = Stage(player)
        session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
    }

    private var player: SessionPlayer { session.player }

    /// Does it; returns what was found, by where it was said to be, and what is missing still.
    private func find(_ files: String = "") async throws -> (found: [String: String], missing: [String]) {
        let json = #"{"do": "findFiles"\#(files.isEmpty ? "" : #", "files": \#(files)"#)}"#
        let result = try await act(json).result
        guard case .array(let found)? = result["found"], case .array(let missing)? = result["missing"] else {
            return ([:], [])
        }
        var places: [String: String] = [:]
        for case .object(let place) in found {
            guard case .string(let file)? = place["file"], case .string(let at)? = place["at"] else { continue }
            places[file] = at
        }
        return (places, missing.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }

    @discardableResult
    private func act(_ json: String) async throws -> LiveSession.Outcome {
        try await session.perform(ControlAction(JSONValue(parsing: Data(json.utf8)), source: "test"))
    }

    private func frames(ofStem id: String) throws -> Int64 {
        let index = try #require(player.stemIndex(of: id))
        return try #require(player.multitrack?.stem(at: index)).source.frameCount
    }

    @Test("They are found by their names, whatever their capitals and accents are made of, for all that plays them")
    func byName() async throws {
        #expect(player.clips["a"]?.problem != nil && player.clips["c"]?.problem != nil)
        let place = "moved/deeper/CAFE\u{301}.WAV"
        try folder.folder.write(place, Sound.noise(96_000, seed: 3))
        let before = player.document
        let (found, missing) = try await find()
        #expect(found == ["loops/drums/Café.wav": place] && missing == ["loops/Bass.wav"])
        #expect(player.document.tracks[0].clips.map(\.file) == [place, "b.wav", "loops/Bass.wav"])
        #expect(player.clips["a"]?.problem == nil && player.clips["c"]?.problem != nil)
        #expect(player.document.pads[0].file == place && player.document.items[0].file == place)
        #expect(try frames(ofStem: "s") == 96_000 && frames(ofStem: "r") == 48_000)
        // It sounds as the file does.
        try await act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(20_000)
        let samples = try WaveContents(path: folder.folder.path(place)).channels[0]
        #expect(zip(stage.left[300..<20_000], samples[300...]).allSatisfy { abs($0 - $1) < 1e-5 })
        // One step, which can be taken back.
        #expect(session.status.undo == "Find missing files")
        try await act(#"{"do": "undo"}"#)
        #expect(player.document == before && session.status.undo == nil)
    }

    @Test("What is back where it was is read again, and the session is what it was")
    func back() async throws {
        try folder.folder.write("loops/drums/Café.wav", Sound.noise(96_000, seed: 3))
        try folder.folder.write("loops/Bass.wav", Sound.noise(48_000, seed: 4))
        let (found, missing) = try await find()
        #expect(found.isEmpty && missing.isEmpty)
        #expect(player.clips.values.allSatisfy { $0.problem == nil })
        #expect(try frames(ofStem: "s") == 96_000)
        #expect(!session.status.isDirty && session.status.undo == nil)
    }

    @Test("Of files that are chosen, the title counts, and the ending does not; those of the folder are searched then")
    func chosen() async throws {
        try folder.folder.write("audio/0123.wav", Sound.noise(96_000, seed: 3))
        try folder.folder.write("audio/bass.flac.wav", Sound.noise(48_000, seed: 4))
        try folder.folder.write("elsewhere/Bass.wav", Sound.noise(24_000, seed: 5))
        let (found, missing) = try await find(#"["b.wav", {"file": "audio/0123.wav", "name": "Café"}]"#)
        #expect(found == ["loops/drums/Café.wav": "audio/0123.wav", "loops/Bass.wav": "elsewhere/Bass.wav"])
        #expect(missing.isEmpty && player.clips.values.allSatisfy { $0.problem == nil })
        // What is elsewhere is not taken for the network.
        await #expect(throws: SessionError.self) { try await act(#"{"do": "findFiles", "files": ["/etc/hostname"]}"#) }
    }

    @Test("Of several with one name that is taken whose folders are called as those of the missing one")
    func nearest() async throws {
        for (place, seed) in [("x/Bass.wav", 3), ("y/loops/Bass.wav", 4), ("z/Bass.wav", 5)] {
            try folder.folder.write(place, Sound.noise(48_000, seed: UInt64(seed)))
        }
        #expect(try await find().found == ["loops/Bass.wav": "y/loops/Bass.wav"])
    }

    @Test("Two that are called the same in two folders are two files, and none that the session has already")
    func sameNames() throws {
        let library = folder.folder.path("library")
        let media = MediaFolders(path: folder.path, library: URL(fileURLWithPath: library, isDirectory: true))
        func search(_ files: [String]) -> FileSearch { FileSearch(for: files, given: [], in: media) }
        for place in ["z6/01.wav", "z7/01.wav", "here/kick.wav"] {
            try folder.folder.write(place, Sound.noise(9, seed: 3))
        }
        let two = search(["a/01.wav", "b/01.wav"])
        #expect(Set(two.found.values) == ["z6/01.wav", "z7/01.wav"] && two.missing.isEmpty)
        // Whose folder is called the same comes first, wherever it is in the list.
        #expect(
            search(["a/01.wav", "c/z6/01.wav"]).found == [
                "a/01.wav": "z7/01.wav", "c/z6/01.wav": "z6/01.wav",
            ])
        let three = search(["a/01.wav", "b/01.wav", "c/01.wav", "here/kick.wav", "gone/kick.wav"])
        #expect(Set(three.found.values) == ["z6/01.wav", "z7/01.wav"])
        #expect(three.missing == ["c/01.wav", "gone/kick.wav"])
        let chosen = FileSearch(for: ["a/kick.wav", "b/kick.wav"], given: [.init("here/kick.wav")], in: media)
        #expect(Set(chosen.found.keys) == ["a/kick.wav", "b/kick.wav"])
    }
}
