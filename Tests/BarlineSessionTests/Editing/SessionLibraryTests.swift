import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// The sessions of the library are renamed and deleted by name, and by nothing that leads elsewhere.
@Suite("The library's sessions", .fewAtATime)
struct SessionLibraryTests {
    private func names(_ stage: EditStage) -> [String] { stage.session.library.sessions.map(\.name).sorted() }

    private func path(_ stage: EditStage, _ name: String) -> String {
        stage.folder.folder.path("library/sessions/\(name).barline")
    }

    /// A stage with two saved sessions, the second one open.
    private func stage() async throws -> EditStage {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "saveAs", "name": "First"}"#)
        try await stage.act(#"{"do": "saveAs", "name": "Second"}"#)
        return stage
    }

    @Test("A link of another name leads to the same copies, versions and lock")
    func links() throws {
        let folder = try SessionFolder()
        try folder.folder.write("set.barline", #"{"barline": 1}"#)
        let link = folder.folder.path("another name.barline")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        #expect(SessionLibrary.uniqueName(of: link) == SessionLibrary.uniqueName(of: folder.path))
        #expect(SessionLibrary.uniqueName(of: link + "2") != SessionLibrary.uniqueName(of: folder.path))
    }

    @Test("A name is the same one in every form that Unicode has for it")
    func unicodeForms() async throws {
        let stage = try await stage()
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try await stage.act(#"{"do": "saveAs", "name": "\#(composed)"}"#)
        try await stage.act(#"{"do": "addTrack", "name": "Mine"}"#)
        try await stage.act(#"{"do": "saveAs", "name": "\#(decomposed)"}"#)
        try await stage.act(#"{"do": "addTrack", "name": "Yours"}"#)
        #expect(try await stage.act(#"{"do": "save"}"#).warning == nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: stage.folder.folder.path("library/sessions"))
        #expect(files.count == 3)
        try await stage.act(#"{"do": "open", "name": "First"}"#)
        for name in [composed, decomposed] {
            try await stage.act(#"{"do": "open", "name": "\#(name)"}"#)
            #expect(stage.document.tracks.map(\.name).suffix(2) == ["Mine", "Yours"])
        }
    }

    @Test("A session that is opened through a link plays what lies beside the session, and is saved there")
    func opensLinks() async throws {
        let stage = try await stage()
        let place = stage.folder.folder
        try FileManager.default.createDirectory(atPath: place.path("gigs"), withIntermediateDirectories: true)
        try place.write("gigs/amen.wav", Sound.tone(48_000, cycles: 300))
        let clip = #"{"id": "x", "file": "amen.wav", "beats": 2}"#
        try place.write("gigs/set.barline", #"{"barline": 1, "tracks": [{"id": "t", "clips": [\#(clip)]}]}"#)
        let target = place.path("gigs/set.barline")
        try FileManager.default.createSymbolicLink(atPath: path(stage, "Gig"), withDestinationPath: target)
        #expect(stage.session.library.path(ofNamed: path(stage, "Gig")) == target)
        #expect(stage.session.library.path(ofNamed: "Gig") == target)
        try await stage.act(#"{"do": "open", "name": "Gig"}"#)
        #expect(stage.session.player.clips["x"]?.handle != nil)
        try await stage.act(#"{"do": "addTrack", "name": "New"}"#)
        try await stage.act(#"{"do": "save"}"#)
        #expect(try SessionDocument(path: target).tracks.count == 2)
        let entry = try #require(stage.session.library.sessions.first { $0.name == "Gig" })
        #expect(stage.session.isOpen(entry))
        try await stage.act(#"{"do": "renameSession", "name": "Gig", "to": "Tour"}"#)
        #expect(stage.document.name == "Tour" && !stage.session.status.isDirty)
        #expect(stage.session.player.path == target)
        #expect(try SessionDocument(path: target).name == "Tour")
    }

    @Test("A session gets another name, in its file too, and keeps all else")
    func rename() async throws {
        let stage = try await stage()
        let before = try SessionDocument(path: path(stage, "First"))
        try await stage.act(#"{"do": "renameSession", "name": "First", "to": "Opening act"}"#)
        #expect(names(stage) == ["Opening act", "Second"])
        var expected = before
        expected.name = "Opening act"
        #expect(try SessionDocument(path: path(stage, "Opening act")) == expected)
        #expect(expected.rest["mystery"] != nil)
        #expect(stage.session.status.name == "Second.barline" && !stage.session.status.isDirty)
        try await stage.act(#"{"do": "open", "name": "Opening act"}"#)
        #expect(stage.document == expected && stage.session.player.clips["a"]?.handle != nil)
    }

    @Test("The one that is open goes on under its new name, with what is not saved")
    func renameOpen() async throws {
        let stage = try await stage()
        _ = try stage.session.perform(.launch(clip: "a"))
        stage.stage.play(4_800)
        try await stage.act(#"{"do": "addTrack", "name": "Unsaved"}"#)
        try stage.session.autosave()
        try await stage.act(#"{"do": "renameSession", "name": "Second", "to": "Encore"}"#)
        #expect(names(stage) == ["Encore", "First"])
        #expect(stage.session.status.name == "Encore.barline" && stage.session.status.isDirty)
        #expect(stage.document.name == "Encore" && stage.document.tracks.last?.name == "Unsaved")
        #expect(try SessionDocument(path: path(stage, "Encore")).tracks.map(\.name) == ["One", "Two"])
        #expect(Autosave(of: path(stage, "Encore"), in: stage.session.library).modified != nil)
        #expect(Autosave(of: path(stage, "Second"), in: stage.session.library).modified == nil)
        // It plays on, the same samples as if nobody had renamed anything.
        let other = try await self.stage()
        _ = try other.session.perform(.launch(clip: "a"))
        for stage in [stage, other] { stage.stage.play(stage.stage.left.count == 4_800 ? 4_800 : 9_600) }
        #expect(stage.stage.left == other.stage.left && stage.stage.left.contains { abs($0) > 0.1 })
        try await stage.act(#"{"do": "save"}"#)
        #expect(!stage.session.status.isDirty)
        #expect(try SessionDocument(path: path(stage, "Encore")).tracks.count == 3)
        #expect(names(stage) == ["Encore", "First"])
    }

    @Test("A session is deleted, with its autosave and without its audio")
    func delete() async throws {
        let stage = try await stage()
        let autosave = Autosave(of: path(stage, "First"), in: stage.session.library)
        _ = try AutosaveJournal.begin(stage.document, at: autosave)
        try await stage.act(#"{"do": "deleteSession", "name": "First"}"#)
        #expect(names(stage) == ["Second"])
        #expect(autosave.modified == nil)
        #expect(FileManager.default.fileExists(atPath: stage.folder.folder.path("a.wav")))
    }

    @Test("The ending of a session's file is none of its name")
    func ending() async throws {
        let stage = try await stage()
        try await stage.act(#"{"do": "saveAs", "name": "Third.barline"}"#)
        #expect(names(stage).sorted() == ["First", "Second", "Third"])
        #expect(stage.document.name == "Third")
    }

    @Test("A session whose changes were not saved when a program was killed says so, alone, until they are answered")
    func changesThatAreKept() async throws {
        let stage = try await stage()
        // Names that end as those of copies do.
        for name in ["Gig", "Gig-2", "Second-1"] { try await stage.act(#"{"do": "saveAs", "name": "\#(name)"}"#) }
        func dirty() -> [String] { stage.session.library.sessions.filter(\.isDirty).map(\.name) }
        try await stage.act(#"{"do": "open", "name": "Gig"}"#)
        #expect(dirty().isEmpty)
        try await stage.act(#"{"do": "addTrack", "name": "Mine"}"#)
        try stage.session.autosave()
        #expect(dirty() == ["Gig"])
        let player = try await SessionPlayer(SessionDocument(path: stage.folder.path), path: stage.folder.path) {
            $0.reserveForEditing()
        }
        let next = LiveSession(player, library: stage.session.library)
        func act(_ json: String) async throws {
            _ = try await next.perform(ControlAction(JSONValue(parsing: Data(json.utf8)), source: "test"))
        }
        try await act(#"{"do": "open", "name": "Gig"}"#)
        #expect(dirty() == ["Gig"])
        try await act(#"{"do": "recover"}"#)
        #expect(next.player.document.tracks.last?.name == "Mine" && dirty() == ["Gig"])
        try await act(#"{"do": "save"}"#)
        #expect(dirty().isEmpty)
    }

    @Test(
        "What is open is not deleted, a name is not taken twice, and no name leads out of the library",
        arguments: [
            (#"{"do": "deleteSession", "name": "Second"}"#, "is open"),
            (#"{"do": "deleteSession", "name": "None"}"#, "there is no \"None\""),
            (#"{"do": "deleteSession", "name": "../../set"}"#, "without \"/\""),
            (#"{"do": "deleteSession", "name": ".."}"#, "without \"/\""),
            (#"{"do": "deleteSession", "name": ""}"#, "a text"),
            (#"{"do": "deleteSession"}"#, "a text"),
            (#"{"do": "renameSession", "name": "First", "to": "Second"}"#, "no session has yet"),
            (#"{"do": "renameSession", "name": "First", "to": "../out"}"#, "without \"/\""),
            (#"{"do": "renameSession", "name": "First", "to": ".hidden"}"#, "to: expected a name of 1 to 100"),
            (#"{"do": "renameSession", "name": "First", "to": ".hidden"}"#, "not beginning with \".\""),
            (#"{"do": "renameSession", "name": "../../set", "to": "In"}"#, "without \"/\""),
            (#"{"do": "renameSession", "name": "First", "to": ".hidden"}"#, "without \"/\""),
            (#"{"do": "renameSession", "name": "First", "to": "  "}"#, "more than spaces"),
            (#"{"do": "saveAs", "name": " "}"#, "more than spaces"),
            (#"{"do": "renameSession", "name": "None", "to": "Other"}"#, "there is no \"None\""),
        ])
    func refused(action: String, reason: String) async throws {
        let stage = try await stage()
        let error = await #expect(throws: SessionError.self) { try await stage.act(action) }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(error.map { "\($0)" } ?? "")")
        #expect(names(stage) == ["First", "Second"])
        #expect(FileManager.default.fileExists(atPath: stage.folder.path))
    }
}
