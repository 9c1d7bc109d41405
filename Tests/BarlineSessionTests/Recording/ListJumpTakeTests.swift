import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What is asked of the list for later is decided on its time: the take's script has it as it was heard.
@Suite("Recordings of jumps in the list that are asked for ahead", .fewAtATime)
struct ListJumpTakeTests {
    private static func list(_ action: String) -> String { #"{"do": "playlist", "action": \#(action)}"# }

    /// A list of five that plays.
    private func stage() async throws -> TakeStage {
        let stage = try await TakeStage()
        for (file, id) in [("long", "p3"), ("a", "p4"), ("long", "p5")] {
            try await stage.act(Self.list(#""insert", "index": 2, "file": "\#(file).wav", "id": "\#(id)""#))
        }
        try await stage.act(Self.list(#""repeat", "value": "all""#))
        try await stage.act(Self.list(#""play""#))
        stage.play(5_000)
        return stage
    }

    @Test(
        "An earlier jump that is asked for after a later one, and what is done at once meanwhile",
        arguments: [
            [(0, #""play", "index": 3, "at": 4"#), (9_000, #""play", "index": 1, "at": 2"#)],
            [(0, #""play", "index": 4, "at": 1"#), (9_000, #""next""#), (12_000, #""seek", "position": 0.5"#)],
            [(0, #""next", "at": 1"#), (9_000, #""next", "at": 1"#), (9_000, #""move", "from": 0, "to": 4"#)],
            [(0, #""seek", "position": 0.25, "at": 3"#), (9_000, #""next""#)],
            [(0, #""play", "index": 2, "at": 1.5"#), (30_000, #""stop""#)],
        ])
    func meanwhile(actions: [(Int, String)]) async throws {
        let stage = try await stage()
        try await stage.expectSame {
            for (frames, action) in actions {
                stage.play(frames)
                try await stage.act(Self.list(action))
            }
            stage.play(240_000)
        }
    }

    @Test(
        "Several for one bar line, the last of them asked for when the others are decided, and at once",
        arguments: [#", "bar": 2"#, ""], [["next", "next"], ["previous", "next", "next"], ["next", "stop"]])
    func oneFrame(moment: String, jumps: [String]) async throws {
        for crossfade in [0, 1.5] {
            let stage = try await stage()
            try await stage.expectSame {
                try await stage.act(Self.list(#""crossfade", "seconds": \#(crossfade)"#))
                try await stage.act(#"{"do": "transport", "action": "play"}"#)
                stage.play(20_000)
                for (index, jump) in jumps.enumerated() {
                    if index == jumps.count - 1, !moment.isEmpty { stage.play(50_000) }
                    try await stage.act(Self.list(#""\#(jump)"\#(moment)"#))
                }
                stage.play(150_000)
            }
        }
    }

    @Test("Many of all kinds, for now and for later", arguments: 0..<8)
    func storm(seed: UInt64) async throws {
        let stage = try await stage()
        var random = TestRandom(seed: seed)
        try await stage.expectSame {
            for _ in 0..<20 {
                let place = random.int(0...4)
                let jump = random.pick([
                    #""play", "index": \#(place)"#, #""play", "index": \#(place)"#, #""next""#, #""previous""#,
                    #""play""#,
                    #""seek", "position": 0.\#(place)"#, #""pause""#, #""stop""#,
                ])
                let edit = #""move", "from": \#(place), "to": \#(random.int(0...4))"#
                let at = random.int(0...30)
                let action = random.int(0...4) == 0 ? edit : at < 8 ? jump : jump + #", "at": 0.\#(at * 3)"#
                try await stage.act(Self.list(action))
                stage.play(random.int(500...20_000))
            }
            stage.play(60_000)
        }
    }
}
