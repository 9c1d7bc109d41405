import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Undo takes every edit back, redo makes it again, whatever was edited.
@Suite("Undo and redo", .fewAtATime)
struct UndoTests {
    /// An edit of a document like that of ``EditStage``.
    static func randomAction(_ document: SessionDocument, _ random: inout TestRandom) -> String {
        let track = document.tracks.randomElement(using: &random)?.id ?? "none"
        let clip = document.tracks.flatMap(\.clips).randomElement(using: &random)?.id ?? "none"
        let row = Int.random(in: 0..<4, using: &random)
        let number = Double.random(in: -20...3, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return #"{"do": "addTrack", "index": \#(row)}"#
        case 1: return #"{"do": "removeTrack", "track": "\#(track)"}"#
        case 2: return #"{"do": "moveTrack", "track": "\#(track)", "index": \#(row)}"#
        case 3: return #"{"do": "editTrack", "track": "\#(track)", "set": {"gain": \#(number), "mute": true}}"#
        case 4: return #"{"do": "addScene", "index": \#(row)}"#
        case 5: return #"{"do": "removeScene", "scene": \#(row)}"#
        case 6: return #"{"do": "moveScene", "scene": \#(row), "index": 0}"#
        case 7: return #"{"do": "addClip", "track": "\#(track)", "slot": \#(row), "file": "b.wav"}"#
        case 8: return #"{"do": "removeClip", "clip": "\#(clip)"}"#
        case 9: return #"{"do": "moveClip", "clip": "\#(clip)", "track": "\#(track)", "slot": \#(row)}"#
        case 10: return #"{"do": "duplicateClip", "clip": "\#(clip)"}"#
        case 11: return #"{"do": "editClip", "clip": "\#(clip)", "set": {"start": \#(row * 1000), "end": 40000}}"#
        case 12: return #"{"do": "correctTempo", "clip": "\#(clip)", "by": "double"}"#
        case 13: return #"{"do": "addStem", "file": "a.wav"}"#
        case 14: return #"{"do": "removeStem", "stem": "s"}"#
        case 15: return #"{"do": "addMarker", "position": \#(row)}"#
        case 16: return #"{"do": "editSession", "set": {"tempo": \#(100 + row), "mood": \#(row)}}"#
        case 17: return #"{"do": "editMetronome", "set": {"enabled": true, "gain": \#(number)}}"#
        case 18: return #"{"do": "gain", "track": "\#(track)", "db": \#(number)}"#
        case 19: return #"{"do": "addEffect", "track": "\#(track)", "type": "filter", "index": 0}"#
        case 20:
            return #"{"do": "editEffect", "track": "\#(track)", "effect": "filter", "set": {"cutoff": \#(100 + row)}}"#
        case 21: return #"{"do": "moveEffect", "track": "\#(track)", "effect": "filter", "index": \#(row)}"#
        case 22: return #"{"do": "removeEffect", "track": "\#(track)", "effect": "filter"}"#
        default: return #"{"do": "launch", "clip": "\#(clip)"}"#
        }
    }

    @Test("Undoing everything gives the first document, redoing everything the last", arguments: UInt64(1)...6)
    func thereAndBack(seed: UInt64) async throws {
        let stage = try await EditStage()
        let first = stage.document
        var random = TestRandom(seed: seed)
        var refused = 0
        for _ in 0..<60 {
            do {
                try await stage.act(UndoTests.randomAction(stage.document, &random))
            } catch is SessionError {
                refused += 1
            }
            stage.stage.play(256)
            // What the session has become can be read again as it is.
            #expect(try SessionDocument(stage.document.json, file: "test") == stage.document)
        }
        #expect(refused < 45)
        let last = stage.document
        #expect(last != first)
        var steps = 0
        while stage.session.status.undo != nil {
            try await stage.act(#"{"do": "undo"}"#)
            stage.stage.play(64)
            steps += 1
        }
        #expect(stage.document == first)
        #expect(steps > 5)
        for _ in 0..<steps { try await stage.act(#"{"do": "redo"}"#) }
        #expect(stage.document == last && stage.session.status.redo == nil)
        #expect(Set(stage.session.player.clips.keys) == last.clipIdentifiers)
        for track in last.tracks {
            let index = try #require(stage.session.player.trackIndex(of: track.id))
            stage.stage.play(64)
            #expect(stage.session.player.engine.state.tracks[index.rawValue].strip.isMuted == track.mute)
        }
    }

    @Test("An edit after an undo leaves nothing to redo")
    func fork() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "addTrack"}"#)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.session.status.redo == "Add track")
        try await stage.act(#"{"do": "addScene"}"#)
        #expect(stage.session.status.redo == nil && stage.session.status.undo == "Add scene")
    }

    @Test("Undo comes back to what was saved, and of items that are replaced to each")
    func boundaries() async throws {
        let stage = try await EditStage()
        func gain() -> Double? { stage.document.tracks[0].gain }
        for action in [
            #"{"do": "gain", "track": "\#(stage.document.tracks[0].id)", "db": -3}"#, #"{"do": "save"}"#,
            #"{"do": "gain", "track": "\#(stage.document.tracks[0].id)", "db": -9}"#, #"{"do": "undo"}"#,
        ] { try await stage.act(action) }
        #expect(gain() == -3)
        #expect(!stage.session.status.isDirty)
        for action in [
            #"{"do": "playlist", "action": "insert", "index": 0, "file": "a.wav", "id": "x"}"#,
            #"{"do": "playlist", "action": "replace", "index": 0, "file": "b.wav", "id": "y"}"#,
            #"{"do": "playlist", "action": "replace", "index": 0, "file": "a.wav", "id": "z"}"#,
        ] { try await stage.act(action) }
        for id in ["y", "x"] {
            try await stage.act(#"{"do": "undo"}"#)
            #expect(stage.document.playlist.map(\.id) == [id])
        }
    }
}
