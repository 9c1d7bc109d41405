import BarlineDemo
import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

/// The demo set in the place of a session that plays.
@Suite("Opening the demo set")
struct DemoOpeningTests {
    private let folder: TemporaryFolder
    private let player: SessionPlayer

    init() async throws {
        folder = try TemporaryFolder()
        let path = try folder.write("set.barline", #"{"barline": 1, "name": "Mine"}"#)
        player = try await SessionPlayer(try SessionDocument(path: path), path: path) { configuration in
            configuration.reserveForEditing()
        }
    }

    private var library: SessionLibrary {
        SessionLibrary(
            folder: URL(fileURLWithPath: folder.path("library"), isDirectory: true),
            state: URL(fileURLWithPath: folder.path("state"), isDirectory: true))
    }

    @Test("A session that knows of it opens it, and saves it under another name only")
    func opened() async throws {
        let path = try DemoSession.write(to: folder.path("demo"))
        let session = LiveSession(player, demo: { path }, library: library)
        _ = try await session.perform(.manage(.openDemo(discard: false)))
        #expect(session.status.isDemo)
        #expect(player.document == DemoSession.document)
        #expect(player.path == path)
        await #expect(throws: SessionError.self) { try await session.perform(.manage(.save)) }
        _ = try await session.perform(.manage(.saveAs(name: "Taken")))
        #expect(!session.status.isDemo)
    }

    @Test("One that does not know of it refuses, and stays what it is")
    func refused() async throws {
        let session = LiveSession(player, library: library)
        let refusal = SessionError.unsupported(path: "action", key: "do", what: "there is no demo set here")
        await #expect(throws: refusal) { try await session.perform(.manage(.openDemo(discard: false))) }
        #expect(player.document.name == "Mine")
    }
}
