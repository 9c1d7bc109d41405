import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What an edit has made is read again as far as it has changed, and is what reading all of it gives.
@Suite("Reading again what was edited", .fewAtATime)
struct RereadingTests {
    private static let text = """
        {"barline": 1, "name": "Set",
         "tracks": [
          {"id": "t", "clips": [{"id": "a", "file": "a.wav", "slot": 0}, {"id": "b", "file": "b.wav", "slot": 1}]},
          {"id": "u", "clips": [{"id": "c", "file": "c.wav", "slot": 0}]}],
         "playlist": [{"id": "p", "file": "1.wav"}, {"id": "q", "file": "2.wav"}, {"id": "r", "file": "3.wav"}]}
        """

    private typealias Edit = @Sendable (inout SessionDocument) -> Void

    private static let edits: [String: Edit] = [
        "nothing": { _ in },
        "a track": { $0.tracks[1].name = "Bass" },
        "a clip": { $0.tracks[0].clips[1].file = "x.wav" },
        "a clip and its track": { document in
            document.tracks[0].gain = -3
            document.tracks[0].clips[1].gain = -6
        },
        "a clip comes": {
            $0.tracks[0].clips.insert(ClipDocument(id: "d", name: "D", file: "d.wav", slot: 7), at: 1)
        },
        "a clip goes": { $0.tracks[0].clips.remove(at: 0) },
        "a clip moves": { document in
            var clip = document.tracks[0].clips.remove(at: 0)
            clip.slot = 5
            document.tracks[1].clips.append(clip)
        },
        "a track goes": { $0.tracks.remove(at: 0) },
        "tracks change places": { $0.tracks.swapAt(0, 1) },
        "a track takes the identifier of one that went": { document in
            document.tracks.remove(at: 0)
            document.tracks[0].id = "t"
        },
        "an item comes": { $0.playlist.insert(PlaylistItemDocument(id: "s", file: "4.wav"), at: 1) },
        "items go": { $0.playlist.removeSubrange(0..<2) },
        "all items go": { $0.playlist = [] },
        "items change places": { $0.playlist.swapAt(0, 2) },
        "an item changes": { $0.playlist[2].gain = -3 },
        "the same item twice": { $0.playlist.append($0.playlist[0]) },
        "an identifier of a clip in another track": { $0.tracks[1].clips[0].id = "b" },
        "a place that is taken": { $0.tracks[0].clips[1].slot = 0 },
        "an identifier of another track": { $0.tracks[1].id = "t" },
        "a clip that can't be read": { $0.tracks[0].clips[1].file = "" },
        "a place beyond all bounds": { $0.tracks[1].clips[0].slot = 1 << 60 },
        "an item that can't be read": { $0.playlist[1].speed = 1e9 },
    ]

    @Test("It is the same as when all of it is read, and so are the errors", arguments: edits.keys.sorted())
    func same(name: String) throws {
        let edit = try #require(RereadingTests.edits[name])
        let before = try SessionDocument(try JSONValue(parsing: RereadingTests.text), file: "set")
        var edited = before
        edit(&edited)
        let whole = Result { () throws(SessionError) in try SessionDocument(edited.json, file: "set") }
        let part = Result { () throws(SessionError) in try edited.reread(since: before, file: "set") }
        switch (whole, part) {
        case (.success(let whole), .success(let part)): #expect(whole == part)
        case (.failure(let whole), .failure(let part)): #expect("\(whole)" == "\(part)")
        default: Issue.record("\(whole) and \(part)")
        }
    }
}
