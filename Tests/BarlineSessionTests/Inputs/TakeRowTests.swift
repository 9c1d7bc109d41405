import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Where takes come to lie whose session is edited while they are recorded.
@Suite("Rows that are recorded into", .fewAtATime)
struct TakeRowTests {
    @Test("Rows stay where something is recorded into them, and no clip gets in its way; others go where they like")
    func rows() async throws {
        let played = try await LoopedSession()
        func refuses(_ edit: String) async {
            let error = await #expect(throws: SessionError.self, "\(edit)") { try await played.act(edit) }
            #expect(error?.words.contains("“new” is recorded ") == true, "\(edit) \(error?.words ?? "")")
            #expect(error?.words.hasSuffix(": end that first.") == true)
        }
        func slots() -> [Int] { played.session.player.document.tracks.flatMap(\.clips).map(\.slot) }
        let row = #"{"do": "addScene"}"#
        try await played.act(#"{"do": "transport", "action": "play"}"#)
        for _ in 0..<4 { try await played.act(row) }
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0, "id": "old"}"#)
        played.play(to: LoopedSession.bar)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 0}"#)
        played.play(to: 2 * LoopedSession.bar)
        #expect(slots() == [0])
        // The step before the take is one that moves rows.
        try await played.act(#"{"do": "moveScene", "scene": 3, "index": 1}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 2, "id": "new"}"#)
        await refuses(#"{"do": "addScene", "index": 2}"#)
        played.play(to: 2 * LoopedSession.bar + 5_000)
        let moves = [
            #"{"do": "addScene", "index": 0}"#, #"{"do": "removeScene", "scene": 0}"#,
            #"{"do": "removeScene", "scene": 2}"#, #"{"do": "duplicateScene", "scene": 1}"#,
            #"{"do": "moveScene", "scene": 0, "index": 3}"#, #"{"do": "moveScene", "scene": 3, "index": 2}"#,
            #"{"do": "moveClip", "clip": "old", "slot": 2}"#, #"{"do": "duplicateClip", "clip": "old", "slot": 2}"#,
            #"{"do": "undo"}"#,
        ]
        for move in moves { await refuses(move) }
        for move in [
            #"{"do": "moveScene", "scene": 0, "index": 1}"#, #"{"do": "duplicateScene", "scene": 3}"#, row,
            #"{"do": "removeScene", "scene": 3}"#, #"{"do": "moveClip", "clip": "old", "slot": 4}"#,
        ] { try await played.act(move) }
        try await played.act(#"{"do": "undo"}"#)
        #expect(slots() == [1])
        await refuses(#"{"do": "undo"}"#)
        try await played.act(#"{"do": "recordClip", "track": "t", "slot": 2}"#)
        played.play(to: 4 * LoopedSession.bar)
        #expect(slots() == [1, 2])
    }
}
