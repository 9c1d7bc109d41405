import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

/// The song's position and its loop in sessions and scripts.
@Suite("The song of a session", .fewAtATime)
struct SongTests {
    private func keys(_ player: SessionPlayer) -> [String: JSONValue] {
        if case .object(let keys) = player.document.json { keys } else { [:] }
    }

    @Test("A loop that a session has is on when it is opened, and written as it was read")
    func opened() async throws {
        let folder = try SessionFolder()
        let player = try await folder.player(
            #"{"barline": 1, "timeSignature": "3/4", "songLoop": {"bar": 3, "bars": 2, "colour": "red"}}"#)
        let stage = Stage(player)
        stage.play(64)
        let loop = try #require(player.engine.state.transport.songLoop)
        #expect(loop.start == Beat(6) && loop.length == 6 && loop.isOn)
        #expect(keys(player)["songLoop"] == ["bar": 3, "bars": 2, "colour": "red"])
        let none = try await folder.player(#"{"barline": 1}"#)
        #expect(keys(none)["songLoop"] == nil)
    }

    @Test("A loop is kept, turned off and on, and taken back; a place is not the session's")
    func performed() async throws {
        let edits = try await EditStage()
        let (session, player) = (edits.session, edits.session.player)
        func ask(_ json: String) async throws {
            try await edits.act(json)
            edits.stage.play(480)
        }
        var transport: EngineState.Transport { player.engine.state.transport }
        try await ask(#"{"do": "locate", "bar": 5}"#)
        #expect(transport.songPosition == Beat(16))
        #expect(session.status.undo == nil)
        try await ask(#"{"do": "loop", "beat": 16, "beats": 8}"#)
        #expect(player.document.songLoop.region == .beats(start: 16, length: 8))
        #expect(session.status.undo == "Change song loop")
        #expect(transport.songLoop?.isOn == true)
        try await ask(#"{"do": "toggle", "what": "loop"}"#)
        #expect(transport.songLoop?.isOn == false && !player.document.songLoop.isOn)
        try await ask(#"{"do": "undo"}"#)
        #expect(player.document.songLoop == SongLoop())
        #expect(transport.songLoop == nil)
    }
}
