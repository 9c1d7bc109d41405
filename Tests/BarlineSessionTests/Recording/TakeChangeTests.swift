import BarlineEngine
import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Tempos and sessions that change while something is recorded: the script sounds like it.
@Suite("Recordings in which the session changes")
struct TakeChangeTests {
    @Test("A session that is opened in a take begins there as it was heard, whatever a scene had set before")
    func opened() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "saveAs", "name": "Mine"}"#)
        try await stage.act(#"{"do": "launchScene", "scene": 1}"#)
        stage.play(30_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "open", "name": "Mine"}"#)
        stage.play(5_000)
        try await stage.act(#"{"do": "launchScene", "scene": 0}"#)
        stage.play(60_000)
        #expect(stage.session.player.engine.transport.tempo.beatsPerMinute == 133)
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }

    @Test("Tempos that were tapped in a take are those that undo takes back, and redo brings again")
    func tapped() async throws {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        stage.play(10_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        for frames in [18_000, 18_000, 15_000] {
            try await stage.act(#"{"do": "tap"}"#)
            stage.play(frames)
        }
        // Two intervals of 18,000 frames of 48,000 a second.
        #expect(stage.session.player.document.tempo == 160)
        for word in ["undo", "redo", "undo"] {
            try await stage.act(#"{"do": "\#(word)"}"#)
            stage.play(20_000)
            #expect(stage.session.player.engine.transport.tempo.beatsPerMinute == (word == "redo" ? 160 : 133))
        }
        try await stage.act(#"{"do": "record", "on": false}"#)
        try await stage.expectSame()
    }
}
