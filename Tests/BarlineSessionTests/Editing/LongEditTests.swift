import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Edits that take long to compute.
@Suite("Edits that take long", .fewAtATime)
struct LongEditTests {
    private static let document = """
        {"barline": 1, "name": "Set", "tracks": [{"id": "t", "clips": [
         {"id": "a", "file": "a.wav", "bpm": 120, "playback": "stretch", "stretchMode": "tonal", "onsets": [0]}]}]}
        """

    private let folder: SessionFolder
    private let session: LiveSession

    init() async throws {
        folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.noise(2_000_000, seed: 5))
        let player = try await SessionPlayer(folder.document(Self.document), path: folder.path) {
            $0.reserveForEditing()
        }
        session = LiveSession(player, library: EditStage.library(folder))
    }

    private var track: TrackDocument { session.player.document.tracks[0] }

    private func act(_ json: String) async throws {
        _ = try await session.perform(try ControlAction(try JSONValue(parsing: Data(json.utf8)), source: "test"))
    }

    private func setFormants(_ semitones: Int) async throws {
        try await act(#"{"do": "formantsOfClip", "clip": "a", "semitones": \#(semitones)}"#)
    }

    @Test("While the formants of a long clip are computed nothing else waits for that")
    func nothingWaits() async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let edit = Task {
            try await setFormants(3)
            return clock.now
        }
        var longest = Duration.zero
        while track.clips[0].formants == nil {
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
        let edit = Task { try await setFormants(3) }
        let stage = Stage(session.player)
        var moves = 0
        while track.clips[0].formants == nil, moves < 4_000 {
            moves += 1
            _ = try session.perform(.gain(.track("t"), db: moves.isMultiple(of: 2) ? -3 : -6))
            // The engine takes what it is sent.
            stage.play(64)
            try await Task.sleep(for: .milliseconds(16))
        }
        #expect(moves > 2 && track.clips[0].formants == 3)
        try await edit.value
        #expect(track.gain == (moves.isMultiple(of: 2) ? -3 : -6))
    }

    /// Mutes the track as soon as `change` has begun, or is done.
    private func mute(
        during change: @escaping @Sendable () async throws -> Void, isDone: () -> Bool
    ) async throws {
        let task = Task { try await change() }
        while session.state.withLock({ $0.history.mark }) == nil, !isDone() { await Task.yield() }
        _ = try session.perform(.mute(.track("t"), true))
        try await task.value
    }

    @Test("A mute while an edit is taken back, or done again, stays, and is a step of its own")
    func mutedMeanwhile() async throws {
        try await setFormants(3)
        // Two of the same within a second would be one step.
        _ = try session.perform(.gain(.track("t"), db: -3))
        try await setFormants(5)
        let session = session
        try await mute(during: { try await session.undo("test") }, isDone: { track.clips[0].formants == 3 })
        #expect(track.clips[0].formants == 3 && track.mute)
        try await session.undo("test")
        #expect(track.clips[0].formants == 3 && !track.mute)
        try await session.undo("test")
        try await session.undo("test")
        #expect(track.clips[0].formants == nil && !track.mute)
        try await mute(during: { try await session.redo("test") }, isDone: { track.clips[0].formants == 3 })
        #expect(track.clips[0].formants == 3 && track.mute)
        try await session.undo("test")
        #expect(track.clips[0].formants == 3 && !track.mute)
        try await session.redo("test")
        #expect(track.clips[0].formants == 3 && track.mute)
    }

    @Test("A mute while an edit is done is a step before it")
    func mutedBefore() async throws {
        var isMuted = false
        _ = try await session.change("Name") { before throws(SessionError) in
            if !isMuted { _ = try session.perform(.mute(.track("t"), true)) }
            isMuted = true
            var document = before
            document.tempo = 90
            return document
        }
        #expect(session.player.document.tempo == 90 && track.mute)
        try await session.undo("test")
        #expect(session.player.document.tempo == 120 && track.mute)
        try await session.undo("test")
        #expect(!track.mute)
    }
}
