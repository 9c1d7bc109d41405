import Testing

@testable import BarlineSession

/// What this version can't do, it says so.
@Suite("What this version refuses")
struct RefusalTests {
    @Test("A clip that is to be stretched")
    func stretch() throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) {
            try folder.document(
                """
                {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "playback": "stretch"}]}]}
                """)
        }
        #expect("\(error)".hasPrefix("\(folder.path): tracks[0].clips[0].playback: \"stretch\" can't be played"))
    }
}
