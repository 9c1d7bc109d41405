import BarlineTestSupport
import Testing

@testable import BarlineSession

/// Values that a session can't have.
@Suite("Wrong values in a session", .fewAtATime)
struct WrongValueTests {
    /// A wrong value: where it is, and the text of the whole file.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let key: String
        let json: String

        var testDescription: String { json }

        static func top(_ key: String, _ value: String) -> Wrong {
            Wrong(key: key, json: #"{"barline": 1, "\#(key)": \#(value)}"#)
        }

        static func track(_ key: String, _ value: String) -> Wrong {
            // Of two equal keys the first one counts: the wrong value comes before the right one.
            Wrong(
                key: "tracks[1].\(key)",
                json: #"{"barline": 1, "tracks": [{"id": "a"}, {"\#(key)": \#(value), "id": "b"}]}"#)
        }

        static func clip(_ key: String, _ value: String) -> Wrong {
            Wrong(
                key: "tracks[0].clips[1].\(key)",
                json: """
                    {"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a.wav"},
                     {"\(key)": \(value), "id": "b", "file": "b.wav"}]}]}
                    """)
        }

        static func scene(_ key: String, _ value: String) -> Wrong {
            Wrong(key: "scenes[1].\(key)", json: #"{"barline": 1, "scenes": [{}, {"\#(key)": \#(value)}]}"#)
        }
    }

    static let topLevel: [Wrong] = [
        .top("name", "5"), .top("name", "[]"), .top("tempo", #""fast""#), .top("tempo", "0"), .top("tempo", "-1"),
        .top("tempo", "true"), .top("timeSignature", "4"), .top("timeSignature", #""4""#),
        .top("timeSignature", #""4/5""#), .top("timeSignature", #""0/4""#), .top("timeSignature", #""4/4/4""#),
        .top("launchQuantization", #""3 bars""#), .top("launchQuantization", "1"),
        .top("launchQuantization", #""1/3""#), .top("firstLaunch", #""later""#), .top("firstLaunch", "true"),
        .top("snapTolerance", "0.51"), .top("snapTolerance", "-0.01"), .top("snapTolerance", #""0""#),
        .top("master", "5"), .top("master", "[]"), .top("tracks", "{}"), .top("tracks", #""none""#),
        .top("scenes", "1"), Wrong(key: "master.gain", json: #"{"barline": 1, "master": {"gain": "loud"}}"#),
        Wrong(key: "master.gain", json: #"{"barline": 1, "master": {"gain": 61}}"#),
        Wrong(key: "tracks[0]", json: #"{"barline": 1, "tracks": [7]}"#),
        Wrong(key: "tracks[0].id", json: #"{"barline": 1, "tracks": [{}]}"#),
        Wrong(key: "scenes[0]", json: #"{"barline": 1, "scenes": ["Intro"]}"#), .scene("name", "2"),
        .scene("tempo", #""fast""#), .scene("tempo", "0"),
    ]

    static let tracks: [Wrong] = [
        .track("id", "3"), .track("id", "null"), .track("id", #""""#), .track("name", "1"), .track("gain", "true"),
        .track("gain", #""-6""#), .track("gain", "100"), .track("pan", "2"), .track("pan", "-1.01"),
        .track("pan", #""left""#), .track("mute", "1"), .track("mute", #""yes""#), .track("solo", "0"),
        .track("output", "1"), .track("clips", "3"), .track("clips", "{}"),
    ]

    static let clips: [Wrong] = [
        .clip("id", "1"), .clip("id", #""""#), .clip("name", "1"), .clip("file", "1"), .clip("file", "null"),
        .clip("file", #""""#), .clip("slot", "-1"), .clip("slot", "0.5"), .clip("slot", #""0""#), .clip("slot", "0"),
        .clip("bpm", "0"), .clip("bpm", #""120""#), .clip("bpm", "-120"), .clip("beats", "0"),
        .clip("beats", "-4"), .clip("beats", #""4""#), .clip("start", "-1"), .clip("start", "1.5"),
        .clip("start", #""0""#), .clip("end", "0"), .clip("end", #""all""#), .clip("gain", "true"),
        .clip("gain", "61"), .clip("loop", "1"), .clip("loop", #""yes""#), .clip("playback", #""granular""#),
        .clip("playback", "1"), .clip("launchMode", #""hold""#), .clip("launchMode", "true"),
        .clip("startPosition", #""end""#), .clip("startPosition", "0"), .clip("quantization", #""1 beat""#),
        .clip("quantization", "4"), .clip("color", "255"), .clip("fadeIn", "-1"), .clip("fadeIn", "10001"),
        .clip("fadeIn", #""5 ms""#), .clip("fadeOut", "-0.1"), .clip("fadeOut", "true"),
    ]

    @Test("An error names the file, the key and what was expected", arguments: topLevel + tracks + clips)
    func wrongValue(_ wrong: Wrong) throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) { try folder.document(wrong.json) }
        #expect("\(error)".hasPrefix("\(folder.path): \(wrong.key): expected "), "\(error)")
        #expect("\(error)".contains(", found "))
    }

    @Test(
        "Only version 1 of the format is read",
        arguments: [#"{}"#, #"{"barline": 0}"#, #"{"barline": "1"}"#, #"{"barline": null}"#, #"{"barline": true}"#])
    func version(json: String) throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) { try folder.document(json) }
        #expect("\(error)".hasPrefix("\(folder.path): barline: expected 1"), "\(error)")
    }

    @Test(
        "What is no JSON object is refused",
        arguments: [
            "", " ", "[]", "1", "null", "{", #"{"barline": 1"#, #"{"barline": 1}}"#, #"{"barline": NaN}"#, "\u{0}",
            "RIFF", #"{"barline": 1, "tempo": 1e999}"#,
        ])
    func notAnObject(text: String) throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) { try folder.document(text) }
        #expect("\(error)".hasPrefix("\(folder.path): "), "\(error)")
    }

    @Test("JSON that is nested without end is refused, not followed")
    func depth() throws {
        let folder = try SessionFolder()
        let text = #"{"barline": 1, "x": "# + String(repeating: "[", count: 200_000)
        let error = try #require(throws: SessionError.self) { try folder.document(text) }
        #expect("\(error)".contains("is not valid JSON"), "\(error)")
    }

    @Test("A clip's end comes after its start")
    func emptyRegion() throws {
        let folder = try SessionFolder()
        let error = try #require(throws: SessionError.self) {
            try folder.document(
                #"{"barline": 1, "tracks": [{"id": "t", "clips": [{"id": "a", "file": "a", "start": 9, "end": 9}]}]}"#)
        }
        #expect("\(error)".contains("tracks[0].clips[0].end: expected a whole number of at least 10, found 9"))
    }
}
