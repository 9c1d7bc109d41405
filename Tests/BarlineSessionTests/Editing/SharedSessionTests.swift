import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// A session that two programs have open, for as long as they do.
@Suite("Shared sessions")
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
