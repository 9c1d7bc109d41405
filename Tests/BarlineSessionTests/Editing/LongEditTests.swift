import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Edits that take long to compute.
@Suite("Edits that take long")
struct LongEditTests {
    private static let document = """
        {"barline": 1, "name": "Set", "tracks": [{"id": "t", "clips": [
         {"id": "a", "file": "a.wav", "bpm": 120, "playback": "stretch", "stretchMode": "tonal", "onsets": [0]}]}]}
        """

    @Test("While the formants of a long clip are computed nothing else waits for that")
    func nothingWaits() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(2_000_000, seed: 5))
        let player = try await SessionPlayer(folder.document(Self.document), path: folder.path) {
            $0.reserveForEditing()
        }
        let session = LiveSession(player, library: EditStage.library(folder))
        let value = try JSONValue(parsing: Data(#"{"do": "formantsOfClip", "clip": "a", "semitones": 3}"#.utf8))
        let action = try ControlAction(value, source: "test")
        let clock = ContinuousClock()
        let began = clock.now
        let edit = Task {
            _ = try await session.perform(action)
            return clock.now
        }
        var longest = Duration.zero
        while player.document.tracks[0].clips[0].formants == nil {
            let asked = clock.now
            _ = try session.perform(.tempo(bpm: 120, ramp: 0))
            longest = max(longest, asked.duration(to: clock.now))
            try await Task.sleep(for: .milliseconds(1))
        }
        let took = began.duration(to: try await edit.value)
        #expect(longest < took / 2, "\(longest) of \(took)")
    }

    @Test("An edit that takes long is done though a fader moves all the time")
    func movingFader() async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(2_000_000, seed: 5))
        let player = try await SessionPlayer(folder.document(Self.document), path: folder.path) {
            $0.reserveForEditing()
        }
        let session = LiveSession(player, library: EditStage.library(folder))
        let value = try JSONValue(parsing: Data(#"{"do": "formantsOfClip", "clip": "a", "semitones": 3}"#.utf8))
        let action = try ControlAction(value, source: "test")
        let edit = Task { _ = try await session.perform(action) }
        let stage = Stage(player)
        var moves = 0
        while player.document.tracks[0].clips[0].formants == nil, moves < 4_000 {
            moves += 1
            _ = try session.perform(.gain(.track("t"), db: moves.isMultiple(of: 2) ? -3 : -6))
            // The engine takes what it is sent.
            stage.play(64)
            try await Task.sleep(for: .milliseconds(16))
        }
        #expect(moves > 2 && player.document.tracks[0].clips[0].formants == 3)
        try await edit.value
        #expect(player.document.tracks[0].gain == (moves.isMultiple(of: 2) ? -3 : -6))
    }
}
