import BarlineSession
import BarlineTestSupport
import Testing

@testable import BarlineHost

/// Who has a session open.
@Suite("Claims of sessions")
struct ClaimTests {
    @Test("A session that another program has closed is claimed within moments")
    func freed() async throws {
        var elsewhere: SessionLock?
        let stage = try await HostStage { plan, folder in
            elsewhere = SessionLock(folder.path("set.barline"), in: plan.library)
        }
        let session = stage.host.session
        #expect(elsewhere != nil && session.sharingWarning != nil)
        stage.host.start()
        withExtendedLifetime(elsewhere) {}
        elsewhere = nil
        #expect(eventually { session.sharingWarning == nil })
        #expect(SessionLock(session.player.path, in: session.library) == nil)
        try stage.host.stop()
    }
}
