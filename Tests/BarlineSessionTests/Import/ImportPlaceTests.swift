import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Where imported files go, and in which colours.
@Suite("Places and colours of imported clips", .fewAtATime)
struct ImportPlaceTests {
    private func stage(_ count: Int) async throws -> EditStage {
        let stage = try await EditStage()
        for index in 0..<count {
            try stage.folder.folder.write("n\(index).wav", Sound.noise(4_800, seed: UInt64(index)))
        }
        return stage
    }

    private func list(_ range: Range<Int>) -> String { range.map { "\"n\($0).wav\"" }.joined(separator: ", ") }

    @Test("Files go down a track from a place on, round the clips that are there, in one step")
    func down() async throws {
        let stage = try await stage(4)
        let before = stage.document
        try await stage.act(#"{"do": "moveClip", "clip": "b", "slot": 3}"#)
        let moved = stage.document
        let outcome = try await stage.act(
            #"{"do": "importFiles", "track": "t", "slot": 2, "files": [\#(list(0..<4))]}"#)
        let clips = stage.document.tracks[0].clips
        #expect(clips.map(\.slot) == [0, 3, 2, 4, 5, 6] && clips.map(\.name) == ["a", "b", "n0", "n1", "n2", "n3"])
        #expect(outcome.result["clips"] == .array(["n0", "n1", "n2", "n3"]))
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document == moved)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document == before)
        try await stage.act(#"{"do": "redo"}"#)
        try await stage.act(#"{"do": "redo"}"#)
        #expect(stage.document.tracks[0].clips == clips)
    }

    @Test("Replacing takes the places as they come, and no file replaces another one of the import")
    func replacing() async throws {
        let stage = try await stage(3)
        try await stage.act(
            #"{"do": "importFiles", "track": "t", "slot": 0, "replace": true, "files": [\#(list(0..<3))]}"#)
        #expect(stage.document.tracks[0].clips.map(\.name) == ["n0", "n1", "n2"])
        #expect(stage.document.tracks[0].clips.map(\.slot) == [0, 1, 2])
    }

    @Test("A clip that is added to a place that is taken goes below, unless it is to replace")
    func addClip() async throws {
        let stage = try await stage(1)
        try await stage.act(#"{"do": "addClip", "track": "t", "slot": 0, "file": "n0.wav"}"#)
        #expect(stage.document.tracks[0].clips.map(\.slot) == [0, 1, 2])
        try await stage.act(#"{"do": "addClip", "track": "t", "slot": 0, "file": "n0.wav", "replace": true}"#)
        #expect(stage.document.tracks[0].clips.map(\.id) == ["b", "n0", "n0-2"])
    }

    @Test("One track each: tracks without clips, then new ones, each in another colour")
    func each() async throws {
        let stage = try await stage(30)
        try await stage.act(#"{"do": "addTrack", "name": "Free"}"#)
        try await stage.act(#"{"do": "importFiles", "tracks": "each", "files": [\#(list(0..<30))]}"#)
        let tracks = stage.document.tracks
        #expect(tracks.map(\.name) == ["One", "Two", "Free"] + (1..<30).map { "n\($0)" })
        #expect(tracks.dropFirst(2).map { $0.clips.map(\.name) } == (0..<30).map { ["n\($0)"] })
        let colours = tracks.dropFirst(2).compactMap { $0.clips[0].color }
        #expect(colours == tracks.dropFirst(2).compactMap(\.color))
        // Two that are distinguished differ by more than what a screen makes of one.
        let parts = colours.map { colour in
            let value = Int(colour.dropFirst(), radix: 16) ?? 0
            return [value >> 16, (value >> 8) & 255, value & 255]
        }
        for first in parts.indices {
            for second in parts.indices where second > first {
                let apart = zip(parts[first], parts[second]).map { abs($0 - $1) }.reduce(0, +)
                #expect(apart >= 12, "\(colours[first]) \(colours[second])")
            }
        }
    }

    @Test("Imported clips take the colour that their track is seen in; a colour of a clip stays its own")
    func colours() async throws {
        let stage = try await stage(4)
        try await stage.act(##"{"do": "editClip", "clip": "a", "set": {"color": "#123456"}}"##)
        try await stage.act(##"{"do": "editTrack", "track": "u", "set": {"color": "#abcdef"}}"##)
        for track in ["t", "u"] {
            try await stage.act(#"{"do": "importFiles", "track": "\#(track)", "files": [\#(list(0..<2))]}"#)
        }
        try await stage.act(#"{"do": "importFiles", "name": "Third", "files": [\#(list(2..<4))]}"#)
        try await stage.act(
            ##"{"do": "addClip", "track": "u", "file": "n3.wav", "set": {"color": "#010203"}}"##)
        #expect(stage.document.tracks[0].clips.map(\.color) == ["#123456", nil, "#123456", "#123456"])
        #expect(stage.document.tracks[1].clips.map(\.color) == [nil, "#abcdef", "#abcdef", "#010203"])
        let third = try #require(stage.document.tracks[2].color)
        #expect(stage.document.tracks[2].clips.map(\.color) == [third, third])
        #expect(!["#123456", "#abcdef"].contains(third))
        let copy = try SessionDocument(stage.document.json, file: "test")
        #expect(copy == stage.document)
    }

    @Test("Stems are imported in one step, each in a colour that neither a track nor another stem has")
    func stems() async throws {
        let stage = try await stage(3)
        let before = stage.document
        let outcome = try await stage.act(
            #"{"do": "importFiles", "to": "stems", "files": [{"file": "n0.wav", "name": "Kick"}, \#(list(1..<3))]}"#)
        #expect(outcome.result["stems"] == .array(["kick", "n1", "n2"]))
        #expect(stage.document.stems.map(\.name) == ["Stem", "Kick", "n1", "n2"])
        #expect(Set(stage.document.stems.compactMap(\.color)).count == 3)
        try await stage.act(#"{"do": "undo"}"#)
        #expect(stage.document == before)
    }

    @Test("A folder's files take its track's colour, and what can't be read is left out by name")
    func folder() async throws {
        let stage = try await EditStage()
        try stage.folder.folder.folder("loops/drums")
        for name in ["one", "two"] {
            try stage.folder.folder.write("loops/drums/\(name).wav", Sound.noise(4_800, seed: 1))
        }
        try stage.folder.folder.write("loops/drums/lies.wav", "no audio")
        let outcome = try await stage.act(#"{"do": "importFolder", "folder": "loops"}"#)
        #expect(outcome.result["clips"] == .array(["one", "two"]))
        guard case .array(let problems)? = outcome.result["problems"], case .object(let problem)? = problems.first
        else {
            Issue.record("no problem is told")
            return
        }
        #expect(problem["file"] == "loops/drums/lies.wav")
        let track = try #require(stage.document.tracks.last)
        #expect(track.color != nil && track.clips.allSatisfy { $0.color == track.color })
    }

    @Test("The palette is the one that the page offers")
    func palette() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/BarlineServer/Page/modules/ui/colour.js")
        let text = try String(contentsOf: page, encoding: .utf8)
        let list = try #require(
            text.components(separatedBy: "palette = [").dropFirst().first?.components(separatedBy: "]").first)
        #expect(list.components(separatedBy: "\"").filter { $0.hasPrefix("#") } == TrackColours.palette)
    }
}
