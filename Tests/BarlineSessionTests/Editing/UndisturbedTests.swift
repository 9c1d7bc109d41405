import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What plays goes on, to the sample, through edits of everything else.
@Suite("Editing what plays")
struct UndisturbedTests {
    @Test("A clip plays the same samples through edits of everything else")
    func undisturbed() async throws {
        let quiet = try await EditStage()
        let edited = try await EditStage()
        for stage in [quiet, edited] { _ = try stage.session.perform(.launch(clip: "a")) }
        let edits = [
            #"{"do": "addTrack", "name": "New", "index": 0}"#, #"{"do": "moveTrack", "track": "t", "index": 2}"#,
            #"{"do": "addClip", "track": "u", "slot": 5, "file": "b.wav"}"#, #"{"do": "removeClip", "clip": "c"}"#,
            #"{"do": "addScene", "index": 0}"#,
            #"{"do": "editClip", "clip": "a", "set": {"name": "A", "color": "red"}}"#,
            #"{"do": "removeTrack", "track": "u"}"#, #"{"do": "addStem", "file": "b.wav"}"#, #"{"do": "undo"}"#,
            #"{"do": "undo"}"#, #"{"do": "saveAs", "name": "Copy"}"#,
        ]
        for edit in edits {
            try await edited.act(edit)
            for stage in [quiet, edited] { stage.stage.play(3_000) }
        }
        #expect(quiet.stage.left.contains { abs($0) > 0.1 })
        #expect(quiet.stage.left == edited.stage.left)
        #expect(quiet.stage.right == edited.stage.right)
    }

    @Test("A clip whose length in beats changes plays on without a step")
    func corrected() async throws {
        let stage = try await EditStage()
        _ = try stage.session.perform(.launch(clip: "c"))
        stage.stage.play(20_000)
        try await stage.act(#"{"do": "correctTempo", "clip": "c", "by": "double"}"#)
        stage.stage.play(20_000)
        // A sine of 220 Hz and amplitude 1, at twice its speed, moves by 0.058 a frame; the crossfade adds 1 / 240.
        let steps = zip(stage.stage.left, stage.stage.left.dropFirst()).map { abs($1 - $0) }
        #expect((steps.max() ?? 1) < 0.07)
        let handle = try #require(stage.session.player.clips["c"]?.handle)
        #expect(stage.session.player.engine.launcher.settings(of: handle)?.beats == 8)
    }

    @Test("A track that is removed falls silent; one in its place starts with a clean strip")
    func removed() async throws {
        let stage = try await EditStage()
        _ = try stage.session.perform(.solo(.track("u"), true))
        _ = try stage.session.perform(.launch(clip: "c"))
        stage.stage.play(4_800)
        try await stage.act(#"{"do": "removeTrack", "track": "u"}"#)
        stage.stage.play(4_800)
        #expect(stage.stage.left.suffix(2_000).allSatisfy { $0 == 0 })
        _ = try stage.session.perform(.launch(clip: "a"))
        stage.stage.play(4_800)
        #expect(stage.stage.left.suffix(2_000).contains { abs($0) > 0.01 })
    }
}
