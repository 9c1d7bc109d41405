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
            #expect(cache.json(of: document) == document.json)
        }
    }
}
