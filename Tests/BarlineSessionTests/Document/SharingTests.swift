import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Sessions that have memory in common.
@Suite("Sessions that share", .fewAtATime)
struct SharingTests {
    private func place<Element>(_ list: [Element]) -> UnsafeRawPointer? {
        list.withUnsafeBufferPointer { $0.baseAddress.map { UnsafeRawPointer($0) } }
    }

    private func clips(_ document: SessionDocument, _ track: Int) -> UnsafeRawPointer? {
        place(document.tracks[track].clips)
    }

    @Test("A session that was read again has the clips of the one before in common with it, where they are the same")
    func sharing() throws {
        var before = SessionDocument()
        before.playlist = (0..<40).map { PlaylistItemDocument(id: "p\($0)", file: "a.wav") }
        for index in 0..<4 {
            var track = TrackDocument(id: "t\(index)", name: "Track")
            track.clips = (0..<20).map { ClipDocument(id: "c\(index)-\($0)", name: "Clip", file: "a.wav", slot: $0) }
            before.tracks.append(track)
        }
        before = try SessionDocument(before.json, file: "test")
        var changed = before
        changed.tracks.remove(at: 0)
        changed.tracks[0].name = "Other"
        changed.tracks[1].clips[3].gain = -6
        let read = try SessionDocument(changed.json, file: "test")
        let after = read.sharing(before)
        #expect(after == changed)
        #expect(clips(read, 0) != clips(before, 1))
        #expect(clips(after, 0) == clips(before, 1))
        #expect(clips(after, 1) != clips(before, 2))
        #expect(clips(after, 2) == clips(before, 3))
        #expect(SessionDocument().sharing(before) == SessionDocument())
    }
}
