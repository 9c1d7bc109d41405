import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// A session that two programs have open, for as long as they do.
@Suite("Shared sessions", .fewAtATime)
struct SharedSessionTests {
    /// Opens the session as another program does.
    private func another(_ stage: EditStage) async throws -> LiveSession {
        let player = try await SessionPlayer(SessionDocument(path: stage.folder.path), path: stage.folder.path) {
            $0.reserveForEditing()
        }
        let session = LiveSession(player, library: stage.session.library)
        session.claim()
        return session
    }

    @Test("The warning lasts until the first program has another session open; then the second one's claim is known")
    func freed() async throws {
        let stage = try await EditStage()
        stage.session.claim()
        let second = try await another(stage)
        second.claimFreed()
        #expect(second.sharingWarning != nil && stage.session.sharingWarning == nil)
        try await stage.act(#"{"do": "saveAs", "name": "Elsewhere"}"#)
        let revision = second.managementRevision
        second.claimFreed()
        #expect(second.sharingWarning == nil)
        #expect(second.managementRevision > revision, "whoever looks on is told")
        let third = try await another(stage)
        #expect(third.sharingWarning != nil)
        third.claimFreed()
        #expect(third.sharingWarning != nil, "the second one has it open")
        withExtendedLifetime((stage, second)) {}
    }

    @Test("A session that another program has open is neither deleted nor renamed, with what is not saved of it")
    func taken() async throws {
        let stage = try await EditStage()
        stage.session.claim()
        try await stage.act(#"{"do": "saveAs", "name": "Mine"}"#)
        try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"name": "Not saved"}}"#)
        try stage.session.autosave()
        let second = try await another(stage)
        func act(_ json: String) async throws {
            let value = try JSONValue(parsing: Data(json.utf8))
            _ = try await second.perform(try ControlAction(value, source: "test"))
        }
        for action in [
            #"{"do": "deleteSession", "name": "Mine"}"#, #"{"do": "renameSession", "name": "Mine", "to": "Other"}"#,
        ] {
            let error = await #expect(throws: SessionError.self) { try await act(action) }
            #expect(error.map { "\($0)".contains("is open in another program") } == true)
            #expect(FileManager.default.fileExists(atPath: stage.session.player.path))
            #expect(Autosave.all(of: stage.session.player.path, in: stage.session.library).count == 1)
        }
        // Saved under its name here, what the other one has not saved is not offered.
        try await act(#"{"do": "saveAs", "name": "Mine"}"#)
        #expect(second.status.recoverable.isEmpty)
        try await stage.act(#"{"do": "new", "name": "Alone", "discard": true}"#)
        try await act(#"{"do": "saveAs", "name": "Elsewhere"}"#)
        try await act(#"{"do": "deleteSession", "name": "Mine"}"#)
    }

    @Test("Who opens another session has no warning any more")
    func left() async throws {
        let stage = try await EditStage()
        let first = try await another(stage)
        stage.session.claim()
        #expect(stage.session.sharingWarning?.words.hasPrefix("“set” is open in another program too") == true)
        try await stage.act(#"{"do": "new", "name": "Alone", "discard": true}"#)
        #expect(stage.session.sharingWarning == nil && first.sharingWarning == nil)
        withExtendedLifetime(first) {}
    }
}
