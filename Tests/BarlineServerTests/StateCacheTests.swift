import BarlineSession
import BarlineTestSupport
import Testing

@testable import BarlineServer

/// The state is made of the one before.
@Suite("What is kept of a state")
struct StateCacheTests {
    /// A document like another one, as an edit leaves it.
    private func edited(_ document: SessionDocument, _ random: inout TestRandom, _ number: Int) -> SessionDocument {
        var document = document
        let track = document.tracks.isEmpty ? nil : random.int(0...document.tracks.count - 1)
        switch random.int(0...8) {
        case 0:
            document.tracks.insert(
                TrackDocument(id: "t\(number)", name: "T"), at: random.int(0...document.tracks.count))
        case 1: if let track { document.tracks.remove(at: track) }
        case 2: if let track { document.tracks[track].gain = Double(number) }
        case 3:
            if let track {
                document.tracks[track].clips.append(
                    ClipDocument(id: "c\(number)", name: "C", file: "c.wav", slot: document.tracks[track].clips.count))
            }
        case 4: if let track, !document.tracks[track].clips.isEmpty { document.tracks[track].clips.removeFirst() }
        case 5: if let track, !document.tracks[track].clips.isEmpty { document.tracks[track].clips[0].gain = -3 }
        case 6: document.tracks.shuffle(using: &random)
        case 7:
            document.playlist.insert(
                PlaylistItemDocument(id: "p\(number)", file: "p.wav"), at: random.int(0...document.playlist.count))
        default: document.name = "\(number)"
        }
        return document
    }

    @Test("After any edits the document is what it would be if it were made anew")
    func edits() {
        var random = TestRandom(seed: 5)
        var cache = StateCache()
        var document = SessionDocument()
        for number in 0..<2_000 {
            document = edited(document, &random, number)
            let value = cache.value(of: document)
            #expect(value.json == document.json)
            #expect(String(decoding: JSONWriter.line { value.write(to: &$0) }, as: UTF8.self) == document.json.line)
        }
    }

    @Test("What is sent of edits makes of the document before them the one after them")
    func patches() throws {
        var random = TestRandom(seed: 6)
        var cache = StateCache()
        var document = SessionDocument()
        var (value, known) = (cache.value(of: document), document.json)
        for number in 0..<2_000 {
            document = edited(document, &random, number)
            let new = cache.value(of: document)
            let changes = JSONPatch.changes(from: value, to: new)
            known = try changes.reduce(known) { try PatchModel.applying($1, to: $0) }
            #expect(known == document.json)
            #expect(changes.isEmpty == (value == new))
            value = new
        }
    }

    @Test("Of a large set, an edit of a clip makes that clip anew, and shares the others")
    func sharing() throws {
        var document = SessionDocument()
        document.tracks = (0..<4).map { track in
            var made = TrackDocument(id: "t\(track)", name: "T")
            made.clips = (0..<2_000).map { ClipDocument(id: "c\(track)-\($0)", name: "C", file: "c.wav", slot: $0) }
            return made
        }
        var cache = StateCache()
        let before = cache.value(of: document)
        document.tracks[2].clips[700].gain = -3
        let after = cache.value(of: document)
        #expect(
            JSONPatch.changes(from: before, to: after)
                == [["op": "replace", "path": "/tracks/2/clips/700/gain", "value": -3]])
    }
}
