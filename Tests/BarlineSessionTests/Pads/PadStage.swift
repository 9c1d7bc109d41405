import BarlineEngine
import BarlineSession
import BarlineTestSupport
import Foundation

/// A session with pads that is edited while it plays; the test asks for the blocks.
struct PadStage {
    let folder: SessionFolder
    let session: LiveSession
    let stage: Stage

    /// Two pads that choke each other, one on the grid, one whose file is missing, and a clip.
    static let document = """
        {"barline": 1, "name": "Set", "launchQuantization": "none",
         "tracks": [{"id": "t", "clips": [{"id": "a", "file": "loop.wav", "beats": 4}]}],
         "pads": [
          {"id": "open", "file": "open.wav", "slot": 0, "note": 46, "choke": 1, "hue": 7},
          {"id": "closed", "file": "closed.wav", "slot": 1, "note": 42, "choke": 1, "gain": -6, "pan": -0.5},
          {"id": "kick", "name": "Kick", "file": "kick.wav", "slot": 4, "quantization": "1/4", "sensitivity": 0.5},
          {"id": "gone", "file": "gone.wav", "slot": 9}]}
        """

    init(_ document: String = PadStage.document) async throws {
        folder = try SessionFolder()
        try folder.folder.write("loop.wav", Sound.noise(96_000, seed: 3, level: 0.05))
        try folder.folder.write("open.wav", Sound.noise(20_000, seed: 4))
        try folder.folder.write("closed.wav", Sound.noise(3_000, seed: 5))
        try folder.folder.write("kick.wav", Sound.noise(9_000, seed: 6))
        let document = try folder.document(document)
        let player = try await SessionPlayer(document, path: folder.path, policy: .lenient) { $0.reserveForEditing() }
        stage = Stage(player)
        session = LiveSession(player, library: EditStage.library(folder))
        stage.takeEvents = session.takeEvents
    }

    /// Does what an object in JSON asks for.
    @discardableResult
    func act(_ json: String) async throws -> LiveSession.Outcome {
        let value = try JSONValue(parsing: Data(json.utf8))
        return try await session.perform(try ControlAction(value, source: "test"))
    }

    var document: SessionDocument { session.player.document }

    /// The loudest sample of the next frames.
    func peak(_ frames: Int = 2_000) -> Float {
        let from = stage.left.count
        stage.play(frames)
        return zip(stage.left[from...], stage.right[from...]).map { max(abs($0), abs($1)) }.max() ?? 0
    }
}
