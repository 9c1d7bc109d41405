import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// An edit brings to the engine what it has changed, and with that all is as if it were brought there anew.
@Suite("What an edit binds", .fewAtATime)
struct BindingTests {
    /// What the engine has of a clip.
    private struct Bound: Hashable {
        let document: ClipDocument
        let track: String?
        let settings: ClipSettings?
        let frames: Int?
        let hasProblem: Bool
    }

    private func bound(_ player: SessionPlayer) -> [String: Bound] {
        player.clips.mapValues { binding in
            Bound(
                document: binding.document, track: player.track(binding.track)?.id,
                // Engines count their tracks in the order in which they came.
                settings: binding.handle.flatMap { player.engine.launcher.settings(of: $0) }.map { settings in
                    var settings = settings
                    settings.track = TrackIndex(0)
                    return settings
                }, frames: binding.audio?.samples.frameCount, hasProblem: binding.problem != nil)
        }
    }

    @Test("After random edits, undo and redo the clips are those of the session opened anew", arguments: UInt64(1)...6)
    func edits(seed: UInt64) async throws {
        let stage = try await EditStage()
        let player = stage.session.player
        var random = TestRandom(seed: seed)
        var handles: Set<ClipHandle> = []
        for number in 0..<40 {
            let action =
                switch random.int(0...9) {
                case 0: #"{"do": "undo"}"#
                case 1: #"{"do": "redo"}"#
                case 2: #"{"do": "addClip", "track": "t", "slot": \#(number % 8), "file": "missing\#(number % 3).wav"}"#
                default: UndoTests.randomAction(stage.document, &random)
                }
            _ = try? await stage.act(action)
            // A file that comes is found by the next edit, whatever that is of.
            if number == 20 { try stage.folder.folder.write("missing1.wav", Sound.noise(4_800, seed: 5)) }
            stage.stage.play(256)
            let opened = try await SessionPlayer(stage.document, path: stage.folder.path, policy: .lenient) {
                $0.reserveForEditing()
            }
            if number == 20 { continue }
            #expect(bound(player) == bound(opened), "after \(action)")
            let now = Set(player.clips.values.compactMap(\.handle))
            // What is gone has made room.
            for handle in handles.subtracting(now) { #expect(player.engine.launcher.settings(of: handle) == nil) }
            handles.formUnion(now)
            #expect(player.warnings.count == opened.warnings.count)
        }
    }
}
