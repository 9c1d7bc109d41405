import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Edits of where stems lie on the grid, and of what goes to which output.
@Suite("Editing the stems' grid and outputs", .fewAtATime)
struct GridEditTests {
    @Test("The stems' tempo and bar line are set, taken back and written; what is unknown stays")
    func stemSet() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "editStemSet", "set": {"bpm": 97, "firstBeat": 4800, "hue": 3}}"#)
        #expect(stage.document.stemSet.bpm == 97)
        #expect(stage.session.player.multitrack?.grid?.tempo.beatsPerMinute == 97)
        #expect(stage.session.player.multitrack?.grid?.barLine == 0.1)
        #expect(stage.document.stemSet.json == ["bpm": 97, "firstBeat": 4800, "hue": 3])
        try await stage.act(#"{"do": "editStem", "stem": "s", "set": {"offset": 2400}}"#)
        #expect(stage.session.player.multitrack?.grid?.barLine == 0.05)
        try await stage.act(#"{"do": "editStemSet", "set": {"bpm": null}}"#)
        #expect(stage.session.player.multitrack?.grid == nil)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.session.player.multitrack?.grid?.tempo.beatsPerMinute == 97)
    }

    @Test("A marker is added where it is, or at the nearest bar line")
    func markers() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "addMarker", "name": "far", "position": 2.9, "snap": true}"#)
        try await stage.act(#"{"do": "editStemSet", "set": {"bpm": 120, "firstBeat": 24000}}"#)
        try await stage.act(#"{"do": "addMarker", "name": "near", "position": 4.2, "snap": true}"#)
        try await stage.act(#"{"do": "addMarker", "name": "free", "position": 4.2}"#)
        // Bars of 2 s from 0.5 s on.
        let places = stage.document.markers.map { ($0.name, $0.position) }
        #expect(places.map(\.0) == ["Verse", "far", "free", "near"])
        #expect(places.map(\.1) == [0.5, 2.9, 4.2, 4.5])
    }

    @Test(
        "What is no tempo or frame is refused",
        arguments: [(#"{"bpm": 0}"#, "bpm"), (#"{"bpm": "fast"}"#, "bpm"), (#"{"firstBeat": 0.5}"#, "firstBeat")])
    func refused(set: String, key: String) async throws {
        let stage = try await EditStage()
        let error = await #expect(throws: SessionError.self) {
            try await stage.act(#"{"do": "editStemSet", "set": \#(set)}"#)
        }
        #expect(error.map { "\($0)".contains("set.\(key)") } == true)
    }

    @Test("Tracks, stems, the click and the playlist go to an output of any name")
    func outputs() async throws {
        let stage = try await EditStage()
        try await stage.act(#"{"do": "editTrack", "track": "t", "set": {"output": "phones"}}"#)
        try await stage.act(#"{"do": "editStem", "stem": "s", "set": {"output": "phones"}}"#)
        try await stage.act(#"{"do": "editMetronome", "set": {"output": "click"}}"#)
        try await stage.act(#"{"do": "editPlaylist", "set": {"output": "lobby", "crossfade": 2}}"#)
        #expect(stage.session.player.outputs == ["main", "phones", "click", "lobby"])
        #expect(stage.document.playlistSettings.json == ["crossfade": 2, "output": "lobby"])
        #expect(stage.session.player.warnings.isEmpty)
    }
}
