import BarlineTestSupport
import Testing

@testable import BarlineSession

/// A script may name only what the session has.
@Suite("Identifiers in a script", .fewAtATime)
struct UnknownIdentifierTests {
    /// An action's words and the key and identifier that its error names.
    struct Unknown: Sendable, CustomTestStringConvertible {
        let words: String
        let key: String
        let id: String

        var testDescription: String { words }
    }

    static let actions: [Unknown] = [
        Unknown(words: #""launch", "clip": "b""#, key: "clip", id: "b"),
        Unknown(words: #""launch", "clip": "t""#, key: "clip", id: "t"),
        Unknown(words: #""release", "clip": "b""#, key: "clip", id: "b"),
        Unknown(words: #""stop", "track": "u""#, key: "track", id: "u"),
        Unknown(words: #""stopNow", "track": "a""#, key: "track", id: "a"),
        Unknown(words: #""launchScene", "scene": 2"#, key: "scene", id: "2"),
        Unknown(words: #""gain", "track": "u", "db": 0"#, key: "track", id: "u"),
        Unknown(words: #""gain", "clip": "u", "db": 0"#, key: "clip", id: "u"),
        Unknown(words: #""pan", "track": "u", "value": 0"#, key: "track", id: "u"),
        Unknown(words: #""send", "track": "u", "output": "main", "db": 0"#, key: "track", id: "u"),
        Unknown(words: #""send", "track": "t", "output": "u", "db": 0"#, key: "output", id: "u"),
        Unknown(words: #""mute", "track": "u", "on": true"#, key: "track", id: "u"),
        Unknown(words: #""solo", "track": "u", "on": true"#, key: "track", id: "u"),
    ]

    @Test("An unknown one is refused before anything is rendered", arguments: actions)
    func unknown(_ unknown: Unknown) async throws {
        let folder = try SessionFolder()
        try folder.folder.write("a.wav", Sound.tone(4800, cycles: 10))
        let json = """
            {"barline": 1, "scenes": [{}, {}],
             "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav", "beats": 1}]}]}
            """
        let script = "{\"at\": 0, \"do\": \"launch\", \"clip\": \"a\"}\n{\"at\": 0.5, \"do\": \(unknown.words)}"
        let error = await #expect(throws: SessionError.self) {
            try await folder.render(json, script: script, frames: 48_000)
        }
        let path = folder.folder.path("script.jsonl")
        #expect(error == .unknown(path: path, key: "line 2.\(unknown.key)", id: unknown.id))
        #expect(try folder.folder.names() == ["a.wav", "set.barline"])
    }
}
