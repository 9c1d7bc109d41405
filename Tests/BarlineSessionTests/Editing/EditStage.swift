import BarlineEngine
import BarlineSession
import BarlineTestSupport
import Foundation

/// A session that is edited while it plays; the test asks for the blocks.
struct EditStage {
    let folder: SessionFolder
    let session: LiveSession
    let stage: Stage

    /// Two tracks of two clips, two scenes, a stem, a marker, and keys that nobody knows.
    static let document = """
        {"barline": 1, "name": "Set", "launchQuantization": "none", "mystery": {"kept": [1, 2]},
         "scenes": [{"name": "Intro"}, {"name": "Drop", "tempo": 140}],
         "tracks": [
          {"id": "t", "name": "One", "secret": true,
           "clips": [{"id": "a", "file": "a.wav", "beats": 4, "slot": 0, "hue": 7}, {"id": "b", "file": "b.wav", "beats": 2, "slot": 1}]},
          {"id": "u", "name": "Two", "clips": [{"id": "c", "file": "b.wav", "beats": 4, "slot": 0}]}],
         "stems": [{"id": "s", "name": "Stem", "file": "a.wav"}],
         "markers": [{"name": "Verse", "position": 0.5}]}
        """

    init(_ json: String = EditStage.document) async throws {
        folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(96_000, seed: 3))
        try folder.folder.write("b.wav", Sound.tone(48_000, cycles: 220))
        let document = try folder.document(json)
        let player = try await SessionPlayer(document, path: folder.path, policy: .lenient) { configuration in
            configuration.reserveForEditing()
        }
        stage = Stage(player)
        session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
        player.multitrack?.startFeeding()
    }

    static func library(_ folder: SessionFolder) -> SessionLibrary {
        SessionLibrary(
            folder: URL(fileURLWithPath: folder.folder.path("library"), isDirectory: true),
            state: URL(fileURLWithPath: folder.folder.path("state"), isDirectory: true))
    }

    /// Does what an object in JSON asks for.
    @discardableResult
    func act(_ json: String) async throws -> LiveSession.Outcome {
        let value = try JSONValue(parsing: Data(json.utf8))
        return try await session.perform(try ControlAction(value, source: "test"))
    }

    var document: SessionDocument { session.player.document }
}
