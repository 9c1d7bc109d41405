import BarlineEngine
import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Start positions that are set ahead, of clips that are edited or recorded over until then.
@Suite("Start positions set ahead", .fewAtATime)
struct PlannedStartTests {
    private static let planned = #"{"do": "startPosition", "clip": "a", "value": "synced", "at": 1}"#
    private static let edit =
        #"{"do": "editClip", "clip": "a", "set": {"start": 20000, "beats": 2, "gain": -5, "loop": true}}"#

    private func play(_ lines: [String]) async throws -> (sound: [Float], stage: EditStage) {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "transport", "action": "play"}"#)
        for _ in 0..<20 { stage.stage.play(512) }
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        for line in lines {
            // What is planned is so at the same frame, whenever it is asked for.
            try await stage.act(line)
        }
        while stage.stage.left.count < 120_000 { stage.stage.play(512) }
        return (stage.stage.left, stage)
    }

    @Test("What was edited meanwhile stays as it was edited, and starts where it is to")
    func edited() async throws {
        let (after, _) = try await play([Self.edit, Self.planned])
        let (before, stage) = try await play([Self.planned, Self.edit])
        let (without, _) = try await play([Self.edit])
        #expect(before == after)
        #expect(before != without)
        let clip = try #require(stage.document.tracks[0].clips.first)
        #expect(clip.start == 20_000 && clip.beats == 2 && clip.startPosition == .synced)
        let handle = try #require(stage.session.player.clips["a"]?.handle)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.region == 20_000..<96_000)
        // What is edited next is an edit of that.
        try await stage.act(#"{"do": "editClip", "clip": "a", "set": {"gain": 0}}"#)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.startPosition == .synced)
    }

    @Test("A loop that is recorded over meanwhile keeps its layers")
    func layered() async throws {
        let played = try await LoopedSession()
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        played.play(to: LoopedSession.bar - 5_000)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "bars": 1, "id": "new"}"#)
        played.play(to: 3 * LoopedSession.bar - 5_000)
        try await played.act(#"{"do": "startPosition", "clip": "new", "value": "synced", "at": 1.5}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "mode": "overdub", "bars": 1}"#)
        played.play(to: 6 * LoopedSession.bar)
        #expect(played.clip?.layers.count == 1)
        let bar = LoopedSession.bar
        let range = 1_000..<bar - 1_000
        // Both bars are heard, from the bar after on; it starts where it did before, by a crossfade.
        #expect(range.allSatisfy { abs(played.stage.left[5 * bar + $0] - played.stage.left[4 * bar + $0]) < 1e-6 })
        #expect(range.contains { played.stage.left[5 * bar + $0] != played.stage.left[2 * bar + $0] })
    }
}
