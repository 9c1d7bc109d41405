import Testing

@testable import BarlineSession

/// What this version can't do, it says so.
@Suite("What this version refuses")
struct RefusalTests {
    @Test("A stem that is to be stretched")
    func stretch() throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) {
            try folder.document(
                """
                {"barline": 1, "stems": [{"id": "a", "file": "a.wav", "playback": "stretch"}]}
                """)
        }
        #expect("\(error)".hasPrefix("\(folder.path): stems[0].playback: \"stretch\" can't be played"))
    }
}
