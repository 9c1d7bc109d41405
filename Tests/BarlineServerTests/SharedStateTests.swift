import BarlineSession
import BarlineTestSupport
import Testing

@testable import BarlineServer

/// What the page knows of other programs.
@Suite("State of a session that is shared")
struct SharedStateTests {
    @Test("Who opens the page later is told, too, that another program has the session open, for as long as it has")
    func later() async throws {
        try await serving { served async throws in
            let session = served.session
            func isTold(_ state: JSONValue?, _ key: String) -> Bool {
                state?[key]?.list.contains { $0.text?.contains("is open in another program too") == true } ?? false
            }
            var elsewhere = SessionLock(session.player.path, in: session.library)
            #expect(elsewhere != nil)
            session.claim()
            // What is told once is gone before there is a page.
            #expect(!session.takeNotices().isEmpty)
            let state = try TestWebSocket(port: served.port).json("state")
            #expect(isTold(state, "messages") && isTold(state, "warnings"))
            withExtendedLifetime(elsewhere) {}
            elsewhere = nil
            session.claimFreed()
            #expect(
                try eventually {
                    let state = try served.request("GET", "/api/session").json
                    return state != nil && !isTold(state, "messages")
                })
        }
    }
}
