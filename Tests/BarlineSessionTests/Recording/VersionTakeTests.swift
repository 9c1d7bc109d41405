import BarlineEngine
import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// Takes of items that were to go on in another version, a quarter of a second later, while something else was done.
@Suite("Takes of versions of items", .fewAtATime, .serialized)
struct VersionTakeTests {
    private struct Played {
        let stage: TakeStage

        /// Plays the second item of the list from frame 1,000 of a recording on, from a thread of its own.
        init() async throws {
            stage = try await TakeStage()
            stage.session.player.playlist.player.startFeeding(threads: 1)
            for (id, file) in [("x", "b.wav"), ("y", "a.wav")] {
                try await act("insert", #""index": 0, "file": "\#(file)", "id": "\#(id)""#)
            }
            try await act("play", #""index": 2"#)
            try await settle()
            stage.play(1_000)
            try await stage.act(#"{"do": "record", "on": true}"#)
            stage.play(2_000)
        }

        func act(_ word: String, _ rest: String = "") async throws {
            try await stage.act(#"{"do": "playlist", "action": "\#(word)"\#(rest.isEmpty ? "" : ", ")\#(rest)}"#)
        }

        /// Waits until what was asked for is on its way, and seconds of it are written ahead.
        func settle() async throws {
            let list = stage.session.player.playlist.player
            for _ in 0..<5_000 where !list.isSettled { try await Task.sleep(for: .milliseconds(1)) }
            #expect(list.isSettled)
            try await Task.sleep(for: .milliseconds(50))
        }

        /// Has the item go on at another speed, and does something before it does.
        func change(_ words: [(String, String)], apart: Int = 2_000) async throws {
            try await act("speed", #""value": 0.5"#)
            try await settle()
            stage.play(3_000)
            for (word, rest) in words {
                try await act(word, rest)
                try await settle()
                stage.play(apart)
            }
            for _ in 0..<4 {
                try await settle()
                stage.play(6_000)
            }
        }

        func finish(_ what: String) async throws {
            try await stage.act(#"{"do": "record", "on": false}"#)
            #expect(stage.session.player.engine.playlist.state.underrunCount == 0)
            try await stage.expectSame("\(what)")
        }
    }

    @Test(
        "It is of the item that it was asked for, wherever that is in the list by then",
        arguments: [
            ("remove", #""index": 0"#), ("insert", #""index": 0, "file": "b.wav", "id": "n""#),
            ("move", #""from": 0, "to": 2"#), ("remove", #""index": 2"#), ("clear", ""),
        ])
    func moved(word: String, rest: String) async throws {
        let played = try await Played()
        try await played.change([(word, rest)])
        try await played.finish("\(word) \(rest)")
    }

    @Test(
        "What starts before it takes over is of it, and what a pause puts off comes when it comes",
        arguments: [
            [("seek", #""position": 0.4"#)], [("pause", ""), ("resume", "")], [("play", #""index": 2"#)],
            [("next", ""), ("previous", "")], [("previous", ""), ("next", "")], [("stop", ""), ("play", "")],
            [("seek", #""position": 0.4"#), ("pause", ""), ("resume", "")],
        ])
    func started(words: [(String, String)]) async throws {
        let played = try await Played()
        try await played.change(words)
        try await played.finish("\(words)")
    }

    @Test(
        "What is asked for too late to be heard before a jump that waits is heard from that on, also where it is undone",
        arguments: [#""seek", "position": 0.3, "at": 0.4"#, #""play", "index": 2, "at": 0.4"#],
        [[nil], [#""speed", "value": 0.8"#], [#""speed", "value": 0.8"#, nil]])
    func late(jump: String, changes: [String?]) async throws {
        let played = try await Played()
        try await played.act("speed", #""value": 0.5"#)
        try await played.settle()
        played.stage.play(20_000)
        try await played.settle()
        try await played.stage.act(#"{"do": "playlist", "action": \#(jump)}"#)
        for change in changes {
            try await played.settle()
            played.stage.play(3_000)
            let action = change.map { #"{"do": "playlist", "action": \#($0)}"# } ?? #"{"do": "undo"}"#
            try await played.stage.act(action)
        }
        for _ in 0..<8 {
            try await played.settle()
            played.stage.play(6_000)
        }
        try await played.finish("\(jump), \(changes)")
    }
}
