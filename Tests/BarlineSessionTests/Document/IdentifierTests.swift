import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Identifiers are what scripts use: each stands for one thing.
@Suite("Identifiers of a session", .fewAtATime)
struct IdentifierTests {
    @Test("Two tracks of one id are refused")
    func tracks() throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) {
            try folder.document(#"{"barline": 1, "tracks": [{"id": "t"}, {"id": "u"}, {"id": "t"}]}"#)
        }
        #expect(error == .duplicate(path: folder.path, key: "tracks[2].id", id: "t"))
        #expect("\(error)" == "\(folder.path): tracks[2].id: the id \"t\" is used twice")
    }

    @Test("Two clips of one id are refused, on different tracks too")
    func clips() throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) {
            try folder.document(
                """
                {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav"}]},
                 {"id": "u", "clips": [{"id": "b", "file": "b.wav"}, {"id": "a", "file": "c.wav"}]}]}
                """)
        }
        #expect(error == .duplicate(path: folder.path, key: "tracks[1].clips[1].id", id: "a"))
    }

    @Test("A track and a clip may share an id")
    func trackAndClip() throws {
        let document = try SessionFolder().document(
            #"{"barline": 1, "tracks": [{"id": "a", "clips": [{"id": "a", "file": "a.wav"}]}]}"#)
        #expect(document.tracks.first?.clips.first?.id == "a")
    }

    @Test("Two clips of a track can't be in one slot")
    func slots() throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) {
            try folder.document(
                """
                {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "slot": 3},
                 {"id": "b", "file": "b.wav", "slot": 3}]}]}
                """)
        }
        #expect("\(error)".hasPrefix("\(folder.path): tracks[0].clips[1].slot: "), "\(error)")
    }
}
