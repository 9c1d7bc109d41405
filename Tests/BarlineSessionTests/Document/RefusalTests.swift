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

    @Test(
        "Script actions of later versions",
        arguments: [
            #""playlist", "action": "play", "index": 0"#, #""playlist", "action": "move", "from": 3, "to": 1"#,
        ])
    func actions(words: String) throws {
        let error = try #require(throws: SessionError.self) {
            let text = #"{"at": 0, "do": "stopAll"}"# + "\n{\"at\": 1, \"do\": \(words)}"
            _ = try PerformanceScript(text: text, path: "s.jsonl")
        }
        #expect("\(error)".hasPrefix("s.jsonl: line 2.do: "), "\(error)")
        #expect("\(error)".hasSuffix("can't be done by this version"), "\(error)")
    }
}
