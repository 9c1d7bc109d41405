import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Slots that were recorded into when their program was killed, whose session's folder is elsewhere at the next start.
@Suite("Rescued takes of sessions that were moved", .fewAtATime)
struct MovedTakeTests {
    /// What a program that was killed has left: its session's folder, and a library.
    private struct Left {
        let killed: LoopedSession
        let library: SessionLibrary
        private let folder: TemporaryFolder

        init() async throws {
            killed = try await LoopedSession()
            folder = try TemporaryFolder()
            try await killed.act(#"{"do": "transport", "action": "play"}"#)
            try await killed.act(#"{"do": "recordClip", "track": "t", "slot": 2, "id": "verse"}"#)
            killed.play(to: 135_000)
            killed.session.player.takes.finish()
            library = SessionLibrary(
                folder: URL(fileURLWithPath: folder.path("library"), isDirectory: true),
                state: URL(fileURLWithPath: folder.path("state"), isDirectory: true))
            try FileManager.default.createDirectory(at: library.folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: killed.session.library.recordings, to: library.recordings)
        }

        var path: String { killed.folder.folder.path }

        /// The next program, which opens the session in another folder.
        func open(in folder: String) async throws -> LiveSession {
            let document = try killed.folder.document(RecordRenderTests.document)
            let player = try await SessionPlayer(document, path: "\(folder)/set.barline") { $0.reserveForEditing() }
            let session = LiveSession(player, library: library)
            session.recoverTakes()
            return session
        }

        /// Checks that the take comes back into its slot, with its file in the session's folder.
        func expectKept(_ session: LiveSession, in folder: String) async throws {
            let name = try #require(session.recoveredTakes.first?.name)
            _ = try await session.perform(.manage(.answerRecovery(name: name, keeps: true)))
            let clip = try #require(session.player.document.tracks[0].clips.first)
            #expect(clip.id == "verse" && clip.slot == 2 && clip.beats == 8 && clip.file == "audio/\(name).wav")
            #expect(try WaveContents(path: "\(folder)/\(clip.file)").frameCount == 24_000 + 135_000)
            #expect(TakeRecovery.takes(in: library).isEmpty)
        }
    }

    @Test("While the folder is not there, as on a disk that is away, a take waits, and is offered when it is back")
    func away() async throws {
        let left = try await Left()
        let hidden = left.path + ".away"
        try FileManager.default.moveItem(atPath: left.path, toPath: hidden)
        for _ in 0..<2 { #expect(TakeRecovery.takes(in: left.library).isEmpty) }
        try FileManager.default.moveItem(atPath: hidden, toPath: left.path)
        #expect(TakeRecovery.takes(in: left.library).count == 1)
        try await left.expectKept(try await left.open(in: left.path), in: left.path)
    }

    @Test("Where the folder was renamed a take comes back into its slot there")
    func renamed() async throws {
        let left = try await Left()
        let other = left.path + " B"
        try FileManager.default.moveItem(atPath: left.path, toPath: other)
        defer { try? FileManager.default.removeItem(atPath: other) }
        try await left.expectKept(try await left.open(in: other), in: other)
    }

    @Test("Where the session is opened through a link, too")
    func linked() async throws {
        let left = try await Left()
        let link = left.path + ".link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: left.path)
        defer { unlink(link) }
        try await left.expectKept(try await left.open(in: link), in: left.path)
    }

    @Test("One whose file was deleted is none")
    func deleted() async throws {
        let left = try await Left()
        let take = try #require(TakeRecovery.takes(in: left.library).first)
        unlink(take.files[0].path)
        #expect(TakeRecovery.takes(in: left.library).isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: left.library.recordings.path)
        #expect(!names.contains { $0.hasSuffix(".unfinished") })
    }
}
