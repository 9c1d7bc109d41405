import BarlineSession
import BarlineTestSupport
import Testing

@testable import BarlineEngine

/// Takes of a list that is edited while it plays, fed by a thread as it is live: what an edit starts begins when its file
/// is read, which is later than the edit.
@Suite("Takes of a list that is edited", .fewAtATime)
struct TakeListTests {
    private static let remove = #"{"do": "playlist", "action": "remove", "index": 0}"#
    private static let insert = #"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav"}"#
    private static let rename = #"{"do": "editTrack", "track": "v", "set": {"name": "Later"}}"#

    @Test(
        "Where the item that plays is taken away, the take goes on with the next one on the very frame",
        arguments: [
            [remove], [remove, insert], [insert, #"{"do": "playlist", "action": "remove", "index": 1}"#, insert],
            [#"{"do": "playlist", "action": "replace", "index": 0, "file": "long.wav"}"#],
            [#"{"do": "playlist", "action": "clear"}"#],
            [remove, #"{"do": "playlist", "action": "repeat", "value": "all"}"#],
        ])
    func taken(words: [String]) async throws {
        let stage = try await record(words)
        try await stage.expectSame()
        let (_, _, script) = try await stage.take()
        #expect(script.entries.count { if case .playlist = $0.action { true } else { false } } > words.count)
    }

    private static func list(_ words: String) -> String { #"{"do": "playlist", "action": \#(words)}"# }

    @Test(
        "An edit right behind a skip is of the list that the skip was made in",
        arguments: [
            [#""play", "index": 2"#, #""insert", "index": 0, "file": "a.wav""#],
            [#""next""#, #""insert", "index": 1, "file": "a.wav""#],
            [#""next""#, #""move", "from": 2, "to": 0"#],
            [#""play", "index": 2"#, #""move", "from": 2, "to": 0"#, #""repeat", "value": "all""#],
            [#""play", "index": 2"#, #""remove", "index": 0"#, #""insert", "index": 0, "file": "a.wav""#],
            [#""insert", "index": 0, "file": "a.wav""#, #""play", "index": 3"#, #""remove", "index": 0"#],
            [#""seek", "position": 0.2"#, #""insert", "index": 0, "file": "a.wav""#],
            [#""stop""#, #""insert", "index": 0, "file": "a.wav""#, #""play""#],
        ])
    func skips(words: [String]) async throws {
        let stage = try await record(words.map(TakeListTests.list))
        try await stage.expectSame()
    }

    @Test(
        "Of skips that come quickly each one counts",
        arguments: [
            [#""next""#, #""next""#], [#""next""#, #""next""#, #""previous""#],
            [#""play", "index": 2"#, #""previous""#],
            [#""next""#, #""insert", "index": 0, "file": "a.wav""#, #""next""#], [#""play", "index": 1"#, #""stop""#],
        ])
    func quickSkips(words: [String]) async throws {
        let (heard, rendered, _) = try await record(words.map(TakeListTests.list)).take()
        let others = heard.channels[0].indices.filter { heard.channels[0][$0] != rendered.channels[0][$0] }
        #expect((others.last ?? 0) - (others.first ?? 0) < 240)
    }

    @Test(
        "Where what an edit starts is passed over before it is there, the take differs for the 5 ms of a fade at most",
        arguments: [[remove, remove], [remove, #"{"do": "playlist", "action": "next"}"#]])
    func passedOver(words: [String]) async throws {
        let (heard, rendered, _) = try await record(words).take()
        let others = heard.channels[0].indices.filter { heard.channels[0][$0] != rendered.channels[0][$0] }
        #expect((others.last ?? 0) - (others.first ?? 0) < 240)
    }

    /// Records a list that is edited while it plays.
    private func record(_ words: [String]) async throws -> TakeStage {
        let stage = try await TakeStage()
        let list = stage.session.player.playlist.player
        try await stage.act(#"{"do": "playlist", "action": "insert", "index": 2, "file": "long.wav"}"#)
        for index in 1...2 {
            try await stage.act(
                #"{"do": "playlist", "action": "transpose", "index": \#(index), "semitones": \#(index)}"#)
        }
        list.startFeeding(threads: 1)
        // What is asked for is on its way, and something to play from then on.
        func settle() async throws {
            while !list.isSettled { try await Task.sleep(for: .milliseconds(1)) }
            try await Task.sleep(for: .milliseconds(50))
        }
        try await stage.act(#"{"do": "playlist", "action": "play"}"#)
        try await settle()
        stage.play(1_000)
        try await stage.act(#"{"do": "record", "on": true}"#)
        stage.play(5_000)
        for word in words { try await stage.act(word) }
        stage.play(2_000)
        try await settle()
        stage.play(9_000)
        try await stage.act(TakeListTests.rename)
        try await stage.act(TakeListTests.insert)
        stage.play(9_000)
        try await stage.act(#"{"do": "record", "on": false}"#)
        #expect(stage.session.player.engine.playlist.state.underrunCount == 0)
        return stage
    }
}
