import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What the files of takes are called where several sessions are in one folder.
@Suite("Names of takes", .fewAtATime)
struct TakeNameTests {
    private static let bar = 48_000

    private static func session(in folder: SessionFolder, seed: UInt64) async throws -> (LiveSession, Stage) {
        try folder.folder.write("mic.wav", Sound.noise(5 * bar, seed: seed, level: 0.2))
        let document = try folder.document(RecordRenderTests.document)
        let player = try await SessionPlayer(document, path: folder.path) { $0.reserveForEditing() }
        player.hasInputs.store(true, ordering: .relaxed)
        let stage = Stage(player)
        stage.inputs = try WaveContents(path: folder.folder.path("mic.wav")).channels
        let session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
        return (session, stage)
    }

    @Test("Sessions in one folder that record within one second have a file each")
    func sameSecond() async throws {
        let folder = try SessionFolder()
        let both = [try await Self.session(in: folder, seed: 3), try await Self.session(in: folder, seed: 4)]
        for (session, _) in both {
            for action in [
                #"{"do": "transport", "action": "play"}"#,
                #"{"do": "recordClip", "track": "t", "slot": 2, "bars": 1}"#,
            ] {
                let value = try JSONValue(parsing: Data(action.utf8))
                _ = try await session.perform(try ControlAction(value, source: "test"))
            }
        }
        var files: Set<String> = []
        for (session, stage) in both {
            while stage.left.count < 4 * Self.bar { stage.play(512) }
            session.player.takes.finish()
            let clip = try #require(session.player.document.tracks[0].clips.first { $0.slot == 2 })
            let recorded = try WaveContents(path: folder.folder.path(clip.file)).channels[0]
            let heard = stage.inputs[0][Self.bar + 100..<Self.bar + 200]
            #expect(recorded.indices.contains { recorded[$0...].starts(with: heard) }, "\(clip.file)")
            files.insert(clip.file)
        }
        #expect(files.count == 2)
        // What has kept their names apart is gone.
        for (session, _) in both { #expect(session.player.takes.end().isEmpty) }
        let claims = EditStage.library(folder).state.appendingPathComponent("takes").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: claims).isEmpty)
    }
}
