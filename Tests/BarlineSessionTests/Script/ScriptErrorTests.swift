import BarlineTestSupport
import Testing

@testable import BarlineSession

/// A line that can't be understood is named by its number, and what is wrong in it by its key.
@Suite("Bad lines in a script", .fewAtATime)
struct ScriptErrorTests {
    /// A line and the key that its error names.
    struct Bad: Sendable, CustomTestStringConvertible {
        let json: String
        let key: String

        var testDescription: String { json }
    }

    static let lines: [Bad] = [
        Bad(json: #"{"do": "stopAll"}"#, key: "at"), Bad(json: #"{"at": -1, "do": "stopAll"}"#, key: "at"),
        Bad(json: #"{"at": "1", "do": "stopAll"}"#, key: "at"),
        Bad(json: #"{"at": 1e10, "do": "stopAll"}"#, key: "at"),
        Bad(json: #"{"at": 1, "frame": 48000, "do": "stopAll"}"#, key: "at"),
        Bad(json: #"{"at": 0, "bar": 3, "do": "stopAll"}"#, key: "bar"),
        Bad(json: #"{"at": 0, "beat": 8, "do": "tempo", "bpm": 90}"#, key: "beat"),
        Bad(json: #"{"bar": 2, "beat": 8, "do": "stopAll"}"#, key: "bar"),
        Bad(json: #"{"bar": 1.5, "do": "stopAll"}"#, key: "bar"),
        Bad(json: #"{"beat": "4", "do": "stopAll"}"#, key: "beat"),
        Bad(json: #"{"at": "nextBar", "do": "stopAll"}"#, key: "at"),
        Bad(json: #"{"beat": 4, "do": "locate", "frame": null}"#, key: "at"),
        Bad(json: #"{"bar": 4, "do": "transposeClip", "clip": "a", "semitones": 1}"#, key: "at"),
        Bad(json: #"{"frame": 1.5, "do": "stopAll"}"#, key: "frame"),
        Bad(json: #"{"frame": -1, "do": "stopAll"}"#, key: "frame"),
        Bad(json: #"{"frame": 1e300, "do": "stopAll"}"#, key: "frame"),
        Bad(json: #"{"at": 0}"#, key: "do"), Bad(json: #"{"at": 0, "do": 5}"#, key: "do"),
        Bad(json: #"{"at": 0, "do": "explode"}"#, key: "do"),
        Bad(json: #"{"at": 0, "do": "launch"}"#, key: "clip"),
        Bad(json: #"{"at": 0, "do": "launch", "clip": 1}"#, key: "clip"),
        Bad(json: #"{"at": 0, "do": "launchScene"}"#, key: "scene"),
        Bad(json: #"{"at": 0, "do": "launchScene", "scene": -1}"#, key: "scene"),
        Bad(json: #"{"at": 0, "do": "stop"}"#, key: "track"),
        Bad(json: #"{"at": 0, "do": "tempo"}"#, key: "bpm"),
        Bad(json: #"{"at": 0, "do": "tempo", "bpm": 0}"#, key: "bpm"),
        Bad(json: #"{"at": 0, "do": "tempo", "bpm": "fast"}"#, key: "bpm"),
        Bad(json: #"{"at": 0, "do": "tempo", "bpm": 90, "ramp": -1}"#, key: "ramp"),
        Bad(json: #"{"at": 0, "do": "timeSignature", "value": "7/9"}"#, key: "value"),
        Bad(json: #"{"at": 0, "do": "quantization", "value": "1 beat"}"#, key: "value"),
        Bad(json: #"{"at": 0, "do": "gain", "track": "t"}"#, key: "db"),
        Bad(json: #"{"at": 0, "do": "gain", "track": "t", "db": "-6"}"#, key: "db"),
        Bad(json: #"{"at": 0, "do": "gain", "track": 4, "db": 0}"#, key: "track"),
        Bad(json: #"{"at": 0, "do": "pan", "track": "t", "value": 1.5}"#, key: "value"),
        Bad(json: #"{"at": 0, "do": "mute", "track": "t"}"#, key: "on"),
        Bad(json: #"{"at": 0, "do": "mute", "track": "t", "on": 1}"#, key: "on"),
        Bad(json: #"{"at": 0, "do": "transport", "action": "rewind"}"#, key: "action"),
    ]

    @Test("Live too two times are refused, of which one would be ignored", arguments: ["bar", "beat"])
    func liveTimes(name: String) throws {
        let launch: JSONValue = .object(["do": "launch", "clip": "a", "at": "nextBar", name: 17])
        let error = try #require(throws: SessionError.self) { try ControlAction(launch, source: "test") }
        #expect("\(error)".hasPrefix("test: \(name): expected one of"), "\(error)")
    }

    @Test("An error names the file, the line and the key", arguments: lines)
    func badLine(_ bad: Bad) throws {
        let text = "{\"at\": 0, \"do\": \"stopAll\"}\n\n\(bad.json)\n"
        let error = try #require(throws: SessionError.self) { try PerformanceScript(text: text, path: "tour.jsonl") }
        #expect("\(error)".hasPrefix("tour.jsonl: line 3.\(bad.key): expected "), "\(error)")
    }

    @Test("A line that is no JSON object is named", arguments: ["{", "launch amen", "[]", "5"])
    func notJSON(line: String) throws {
        let error = try #require(throws: SessionError.self) {
            try PerformanceScript(text: "{\"at\": 0, \"do\": \"stopAll\"}\n\(line)", path: "tour.jsonl")
        }
        #expect("\(error)".hasPrefix("tour.jsonl: line 2: "), "\(error)")
    }
}
