import BarlineEngine
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

@Suite("Lists of frames in a session", .fewAtATime)
struct ListEntryTests {
    @Test(
        "The entry that is wrong is named",
        arguments: [
            (#""onsets": [0, 500, 400]"#, "onsets[2]", "above 500"), (#""onsets": [-1]"#, "onsets[0]", "at least 0"),
            (#""onsets": [0, "x"]"#, "onsets[1]", "above 0"),
            (#""warp": [{"frame": 0, "beat": 0}, {"frame": 9, "beat": 0}]"#, "warp[1]", "past frame 0 and beat 0.0"),
            (#""warp": [{"frame": 0}, {"frame": 9, "beat": 1}]"#, "warp[0]", #"{"frame": 24000, "beat": 1}"#),
        ])
    func named(keys: String, entry: String, expected: String) throws {
        let text = #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "c", "file": "c.wav", \#(keys)}]}]}"#
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("set.barline")))
        let error = #expect(throws: SessionError.self) { try SessionDocument(path: folder.path("set.barline")) }
        let words = String(describing: try #require(error))
        #expect(words.contains("tracks[0].clips[0].\(entry)") && words.contains(expected), "\(words)")
    }

    @Test("What another program has said of a marker is kept with its frame, wherever the marker goes")
    func markersOfOthers() throws {
        let first = #"{"frame": 0, "beat": 0, "label": "in"}"#
        let markers = #"[\#(first), {"frame": 9, "beat": 1}, {"beat": 2, "frame": 20, "x": [1]}]"#
        let clip = #"{"id": "c", "file": "c.wav", "warp": \#(markers)}"#
        let text = #"{"barline": 1, "tracks": [{"id": "t", "clips": [\#(clip)]}]}"#
        var document = try SessionDocument(try JSONValue(parsing: text), file: "set.barline")
        func written() -> JSONValue? { document.tracks[0].clips[0].values["warp"] }
        #expect(written() == (try JSONValue(parsing: markers)))
        document.tracks[0].clips[0].warp?.remove(at: 0)
        document.tracks[0].clips[0].warp?[1].beat = 3
        #expect(written() == [["frame": 9, "beat": 1], ["frame": 20, "beat": 3, "x": [1]]])
        document.tracks[0].clips[0].warp = nil
        #expect(written() == nil)
    }
}
