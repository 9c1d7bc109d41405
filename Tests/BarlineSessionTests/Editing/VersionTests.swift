import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What a session's file was before, and who else has it open.
@Suite("Versions of a session's file", .fewAtATime)
struct VersionTests {
    private func rename(_ stage: EditStage, _ name: String) async throws {
        try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"name": "\#(name)"}}"#)
    }

    @Test("The last ten are kept, and each can be brought back, which can be taken back")
    func lastTen() async throws {
        let stage = try await EditStage()
        let original = try stage.folder.folder.text("set.barline")
        for index in 1...13 {
            try await rename(stage, "Name \(index)")
            try await stage.act(#"{"do": "save"}"#)
            // Saved once more, nothing is another version.
            if index == 5 { try await stage.act(#"{"do": "save"}"#) }
        }
        let versions = stage.session.versions
        #expect(versions.count == 10)
        #expect(try versions.map { try $0.read().tracks[0].name } == (3...12).reversed().map { "Name \($0)" })
        #expect(zip(versions, versions.dropFirst()).allSatisfy { $0.modified >= $1.modified && $0.name > $1.name })
        try await stage.act(#"{"do": "restoreVersion", "version": "\#(versions[9].name)"}"#)
        #expect(stage.document.tracks[0].name == "Name 3" && stage.session.isDirty)
        #expect(stage.session.status.undo == "Restore version")
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document.tracks[0].name == "Name 13")
        #expect(stage.document.rest["mystery"] != nil && original.contains("mystery"))
        await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "restoreVersion", "version": "../../set"}"#)
        }
    }

    @Test("A file that is older than all versions, put there by a copy that keeps times, is kept as one")
    func olderFile() async throws {
        let stage = try await EditStage()
        for index in 1...11 {
            try await rename(stage, "Name \(index)")
            try await stage.act(#"{"do": "save"}"#)
        }
        try stage.folder.folder.write("set.barline", "from long ago")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: stage.folder.path)
        try await rename(stage, "Mine")
        try await stage.act(#"{"do": "save"}"#)
        let versions = stage.session.versions
        #expect(versions.count == 10)
        #expect(versions.contains { (try? String(contentsOfFile: $0.path, encoding: .utf8)) == "from long ago" })
    }

    @Test("A file that somebody else wrote, and one that can't be read, are versions to the byte")
    func others() async throws {
        let stage = try await EditStage()
        try stage.folder.folder.write("set.barline", "no session at all")
        try await rename(stage, "Mine")
        try await stage.act(#"{"do": "save"}"#)
        let version = try #require(stage.session.versions.first)
        #expect(try String(contentsOfFile: version.path, encoding: .utf8) == "no session at all")
        let versions = SessionVersions(of: stage.folder.path, in: stage.session.library)
        try versions.restore(version, to: stage.folder.path)
        #expect(try stage.folder.folder.text("set.barline") == "no session at all")
        #expect(try versions.all.first?.read().tracks[0].name == "Mine")
    }

    @Test("Versions go with a session that is renamed, and are gone with one that is deleted")
    func library() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "saveAs", "name": "First"}"#)
        try await rename(stage, "Other")
        try await stage.act(#"{"do": "save"}"#)
        try await stage.act(#"{"do": "renameSession", "name": "First", "to": "Second"}"#)
        #expect(stage.session.status.name == "Second.barline")
        #expect(try stage.session.versions.map { try $0.read().tracks[0].name } == ["One"])
        try await stage.act(#"{"do": "saveAs", "name": "Third"}"#)
        #expect(stage.session.versions.isEmpty)
        try await stage.act(#"{"do": "deleteSession", "name": "Second"}"#)
        let folder = stage.folder.folder.path("library/versions")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("Versions are found where a session's folder was renamed, and a copy of it has none")
    func renamedFolder() async throws {
        let stage = try await EditStage()
        let (library, manager) = (stage.session.library, FileManager.default)
        func place(_ name: String) -> String { stage.folder.folder.path("\(name)/song.barline") }
        for tempo in [100, 110, 120] {
            try stage.folder.folder.write("before/song.barline", #"{"barline": 1, "tempo": \#(tempo)}"#)
            try SessionVersions(of: place("before"), in: library).keep(place("before"))
        }
        let names = SessionVersions(of: place("before"), in: library).all.map(\.name)
        #expect(names.count == 3)
        try manager.copyItem(
            atPath: stage.folder.folder.path("before"), toPath: stage.folder.folder.path("copy"))
        #expect(SessionVersions(of: place("copy"), in: library).all.isEmpty)
        try manager.moveItem(
            atPath: stage.folder.folder.path("before"), toPath: stage.folder.folder.path("after"))
        #expect(SessionVersions(of: place("copy"), in: library).all.isEmpty)
        let after = SessionVersions(of: place("after"), in: library)
        #expect(after.all.map(\.name) == names)
        #expect(try after.all.first?.read().tempo == 120)
        try manager.moveItem(
            atPath: stage.folder.folder.path("after"), toPath: stage.folder.folder.path("later"))
        #expect(SessionVersions(of: place("later"), in: library).all.map(\.name) == names)
    }

    @Test("Who saves over what another program has written meanwhile is told, once, and finds it among the versions")
    func writtenMeanwhile() async throws {
        let stage = try await EditStage()
        try await rename(stage, "Mine")
        #expect(try await stage.act(#"{"do": "save"}"#).warning == nil)
        var theirs = try SessionDocument(path: stage.folder.path)
        theirs.tempo = 77
        try theirs.write(to: stage.folder.path)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 2)], ofItemAtPath: stage.folder.path)
        try await rename(stage, "Mine again")
        let warning = try await stage.act(#"{"do": "save"}"#).warning
        #expect(warning?.description.contains("another program has written it meanwhile") == true)
        #expect(try stage.session.versions.first?.read() == theirs)
        try await rename(stage, "Mine once more")
        #expect(try await stage.act(#"{"do": "save"}"#).warning == nil)
        try await stage.act(#"{"do": "saveAs", "name": "Elsewhere"}"#)
        #expect(try await stage.act(#"{"do": "save"}"#).warning == nil)
    }

    @Test("Where the version before can't be kept, the session is saved, and that is reported")
    func notKept() async throws {
        let stage = try await EditStage()
        // A file is in the place of the folder.
        try stage.folder.folder.write("library/versions", "no folder")
        try await rename(stage, "Other")
        let outcome = try await stage.act(#"{"do": "save"}"#)
        #expect(outcome.warning?.description.hasPrefix("the version before could not be kept: ") == true)
        #expect(try SessionDocument(path: stage.folder.path).tracks[0].name == "Other")
    }

    @Test("A format of the future is refused in words and left alone")
    func future() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "saveAs", "name": "Mine"}"#)
        let text = #"{"barline": 2, "name": "From tomorrow"}"#
        try stage.folder.folder.write("library/sessions/Tomorrow.barline", text)
        do {
            try await stage.act(#"{"do": "open", "name": "Tomorrow"}"#)
            Issue.record("it was opened")
        } catch let error as SessionError {
            #expect("\(error)".hasSuffix("was saved by a newer Barline, in version 2 of the format; this one reads 1"))
            #expect(
                error.words
                    == "“Tomorrow”: was saved by a newer Barline, in version 2 of the format; this one reads 1.")
        }
        #expect(try stage.folder.folder.text("library/sessions/Tomorrow.barline") == text)
        #expect(stage.session.status.name == "Mine.barline")
    }

    @Test("Who opens a session that is open gets a warning, and neither's changes that are not saved meet the other's")
    func twoPrograms() async throws {
        let stage = try await EditStage()
        stage.session.claim()
        #expect(!stage.session.isOpenElsewhere && stage.session.takeNotices().isEmpty)
        try await rename(stage, "First program")
        try stage.session.autosave()
        func another() async throws -> LiveSession {
            let player = try await SessionPlayer(SessionDocument(path: stage.folder.path), path: stage.folder.path) {
                $0.reserveForEditing()
            }
            let session = LiveSession(player, library: stage.session.library)
            session.claim()
            return session
        }
        func act(_ session: LiveSession, _ json: String) async throws {
            _ = try await session.perform(ControlAction(JSONValue(parsing: Data(json.utf8)), source: "test"))
        }
        var second: LiveSession? = try await another()
        #expect(second?.isOpenElsewhere == true && second?.status.recoverable.isEmpty == true)
        let notice = try #require(second?.takeNotices().first)
        #expect(notice.text.hasPrefix("\(stage.folder.path) is open in another program too"))
        #expect(notice.words.hasPrefix("“set” is open in another program too"))
        // Who looks later is told, too.
        #expect(second?.sharingWarning?.words == notice.words && stage.session.sharingWarning == nil)
        let json = #"{"do": "editTrack", "track": "u", "set": {"name": "Second program"}}"#
        try await act(try #require(second), json)
        try second?.autosave()
        // Both are killed: both copies are there, the latest is offered first.
        second = nil
        try await stage.act(#"{"do": "saveAs", "name": "Elsewhere"}"#)
        var third: LiveSession? = try await another()
        #expect(third?.isOpenElsewhere == false && third?.sharingWarning == nil)
        try await act(try #require(third), #"{"do": "recover"}"#)
        #expect(third?.player.document.tracks.map(\.name) == ["One", "Second program"])
        third = nil
        let elsewhere = SessionLock(stage.session.player.path, in: stage.session.library)
        #expect(elsewhere == nil, "the first program has it open under its new name")
    }

    @Test("What programs that were killed have left beside the file is removed, and nothing else")
    func leftovers() async throws {
        let stage = try await EditStage()
        let dead = try Program("true", [])
        _ = try dead.wait()
        let folder = stage.folder.folder
        for name in ["set.barline.part\(dead.identifier)-3", "set.barline.part\(getpid())-1", "set.barline.partly"] {
            try folder.write(name, "half")
        }
        stage.session.claim()
        let names = try folder.names().filter { $0.hasPrefix("set.barline.") }
        #expect(names == ["set.barline.part\(getpid())-1", "set.barline.partly"])
    }
}
