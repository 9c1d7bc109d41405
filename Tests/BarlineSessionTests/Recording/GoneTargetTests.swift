import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What is set ahead is for what is there when it is asked for.
@Suite("What is set ahead for something that is removed", .fewAtATime)
struct GoneTargetTests {
    /// A clip and the stems play.
    private func stage() async throws -> TakeStage {
        let stage = try await TakeStage()
        try await stage.act(#"{"do": "launch", "clip": "a"}"#)
        try await stage.act(#"{"do": "stems", "action": "play"}"#)
        stage.play(30_000)
        return stage
    }

    @Test(
        "It is not done, and no take has it, also where that is brought back until then",
        arguments: [
            (#"{"do": "removeClip", "clip": "c"}"#, #"{"do": "launch", "clip": "c""#),
            (#"{"do": "removeClip", "clip": "a"}"#, #"{"do": "gain", "clip": "a", "db": -20"#),
            (#"{"do": "removeTrack", "track": "u"}"#, #"{"do": "mute", "track": "u", "on": true"#),
            (#"{"do": "removeStem", "stem": "s"}"#, #"{"do": "gain", "stem": "s", "db": -30"#),
        ], [#", "at": 2}"#, #", "beat": 9}"#])
    func comesBack(actions: (remove: String, ahead: String), time: String) async throws {
        let stage = try await stage()
        let before = stage.session.player.document
        try await stage.expectSame {
            try await stage.act(#"{"do": "launch", "clip": "d"}"#)
            try await stage.act(actions.ahead + time)
            stage.play(20_000)
            try await stage.act(actions.remove)
            stage.play(9_000)
            try await stage.act(#"{"do": "undo"}"#)
            stage.play(9_000)
            try await stage.act(#"{"do": "launch", "clip": "a"}"#)
            stage.play(200_000)
        }
        #expect(stage.session.player.document == before)
    }
}
