import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Two people at one list: what each does is done to the item that was meant, wherever the other has moved it.
@Suite("Items of the list by their identifiers", .fewAtATime)
struct ItemActionTests {
    private static func stage() async throws -> EditStage {
        let stage = try await EditStage()
        for (index, id) in ["p", "q", "r"].enumerated() {
            try await stage.act(
                #"{"do": "playlist", "action": "insert", "index": \#(index), "file": "a.wav", "id": "\#(id)"}"#)
        }
        return stage
    }

    @Test("An item is moved, transposed, slowed down and removed where another one's edit has put it")
    func moved() async throws {
        let stage = try await ItemActionTests.stage()
        func items() -> [PlaylistItemDocument] { Array(stage.document.playlist) }
        try await stage.act(#"{"do": "playlist", "action": "remove", "index": 0}"#)
        try await stage.act(#"{"do": "playlistItem", "action": "transpose", "id": "r", "semitones": -3}"#)
        try await stage.act(#"{"do": "playlistItem", "action": "speed", "id": "r", "value": 0.5}"#)
        try await stage.act(#"{"do": "playlistItem", "action": "formants", "id": "r", "semitones": 2}"#)
        #expect(items().map(\.id) == ["q", "r"])
        #expect(items().map(\.transpose) == [0, -3] && items().map(\.speed) == [1, 0.5])
        #expect(items()[1].formants == 2)
        try await stage.act(#"{"do": "playlistItem", "action": "formants", "id": "r"}"#)
        #expect(items()[1].formants == nil)
        try await stage.act(#"{"do": "playlistItem", "action": "move", "id": "r", "to": 0}"#)
        #expect(items().map(\.id) == ["r", "q"])
        try await stage.act(#"{"do": "playlistItem", "action": "remove", "id": "q"}"#)
        #expect(items().map(\.id) == ["r"])
        #expect(stage.session.status.undo == "Remove from playlist")
    }

    @Test("What is meant for an item that is gone is refused, and touches no other")
    func gone() async throws {
        let stage = try await ItemActionTests.stage()
        try await stage.act(#"{"do": "playlistItem", "action": "remove", "id": "q"}"#)
        let before = stage.document
        for action in ["remove", "play"] {
            let error = await #expect(throws: SessionError.self) {
                try await stage.act(#"{"do": "playlistItem", "action": "\#(action)", "id": "q"}"#)
            }
            #expect(error?.words == "There is no item “q”.")
        }
        #expect(stage.document == before)
    }
}
