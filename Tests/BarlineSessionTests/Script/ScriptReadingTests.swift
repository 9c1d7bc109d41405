import BarlineTestSupport
import BarlineTime
import Testing

@testable import BarlineSession

/// A script is JSON Lines: an action and its time on each.
@Suite("Reading a performance script", .fewAtATime)
struct ScriptReadingTests {
    /// A line and the action that it is.
    struct Line: Sendable, CustomTestStringConvertible {
        let json: String
        let action: ScriptAction

        var testDescription: String { json }
    }

    static let lines: [Line] = [
        Line(json: #""do": "launch", "clip": "amen""#, action: .launch(clip: "amen")),
        Line(json: #""do": "release", "clip": "amen""#, action: .release(clip: "amen")),
        Line(json: #""do": "launchScene", "scene": 3"#, action: .launchScene(3)),
        Line(json: #""do": "stop", "track": "drums""#, action: .stop(track: "drums")),
        Line(json: #""do": "stopNow", "track": "drums""#, action: .stopNow(track: "drums")),
        Line(json: #""do": "stopAll""#, action: .stopAll),
        Line(json: #""do": "tempo", "bpm": 126"#, action: .tempo(bpm: 126, ramp: 0)),
        Line(json: #""do": "tempo", "bpm": 100.5, "ramp": 8"#, action: .tempo(bpm: 100.5, ramp: 8)),
        Line(json: #""do": "gain", "track": "drums", "db": -6"#, action: .gain(.track("drums"), db: -6)),
        Line(json: #""do": "gain", "track": "drums", "db": null"#, action: .gain(.track("drums"), db: -.infinity)),
        Line(json: #""do": "gain", "clip": "amen", "db": 1.5"#, action: .gain(.clip("amen"), db: 1.5)),
        Line(json: #""do": "gain", "db": -3"#, action: .gain(.master, db: -3)),
        Line(json: #""do": "pan", "track": "drums", "value": -0.5"#, action: .pan(.track("drums"), -0.5)),
        Line(
            json: #""do": "send", "track": "drums", "output": "phones", "db": -6"#,
            action: .send(.track("drums"), output: "phones", db: -6, preFader: nil)),
        Line(
            json: #""do": "send", "stem": "bass", "output": "phones", "db": null, "preFader": false"#,
            action: .send(.stem("bass"), output: "phones", db: -.infinity, preFader: false)),
        Line(json: #""do": "mute", "track": "drums", "on": true"#, action: .mute(.track("drums"), true)),
        Line(json: #""do": "solo", "track": "drums", "on": false"#, action: .solo(.track("drums"), false)),
        Line(json: #""do": "transport", "action": "play""#, action: .transport(isRolling: true)),
        Line(json: #""do": "transport", "action": "stop""#, action: .transport(isRolling: false)),
    ]

    @Test("Every action is understood, with seconds and with frames", arguments: lines)
    func actions(_ line: Line) throws {
        let script = try PerformanceScript(
            text: "{\"at\": 4.2, \(line.json)}\n{\"frame\": 153600, \(line.json)}", path: "s")
        #expect(script.entries.map(\.action) == [line.action, line.action])
        #expect(script.entries.map(\.time) == [.seconds(4.2), .frame(FrameTime(153_600))])
        #expect(script.entries.map(\.line) == [1, 2])
    }

    @Test("An action that is written is read as itself", arguments: lines)
    func roundTrip(_ line: Line) throws {
        let text = PerformanceScript.line(line.action, at: FrameTime(9_000_000_000))
        #expect(!text.contains("\n"))
        let entry = try #require(try PerformanceScript(text: text, path: "s").entries.first)
        #expect(entry.action == line.action)
        #expect(entry.time == .frame(FrameTime(9_000_000_000)))
    }

    @Test("Metre and quantisation are read as in the session")
    func metre() throws {
        let script = try PerformanceScript(
            text: """
                {"at": 15, "do": "timeSignature", "value": "7/8"}
                {"at": 15, "do": "quantization", "value": "1/8."}
                """, path: "s")
        let metre = try #require(TimeSignature(7, 8))
        let grid = try #require(Quantization("1/8."))
        #expect(script.entries.map(\.action) == [.timeSignature(metre), .quantization(grid)])
    }

    @Test("Seconds are rounded to the nearest frame of the run's rate")
    func seconds() throws {
        let script = try PerformanceScript(text: #"{"at": 1.00001, "do": "stopAll"}"#, path: "s")
        for (hertz, frame) in [(44_100.0, Int64(44_100)), (48_000, 48_000), (192_000, 192_002)] {
            #expect(script.schedule(at: Sound.rate(hertz)).map(\.frame) == [FrameTime(frame)])
        }
    }

    @Test("Actions take effect in the order of time, those of one frame in the order of the file")
    func order() throws {
        let script = try PerformanceScript(
            text: """
                {"at": 2, "do": "launch", "clip": "c"}
                {"frame": 48000, "do": "launch", "clip": "a"}
                {"at": 1, "do": "launch", "clip": "b"}
                {"frame": 0, "do": "launch", "clip": "z"}
                {"at": 1.0, "do": "stopAll"}
                """, path: "s")
        let schedule = script.schedule(at: .standard)
        #expect(
            schedule.map(\.entry.action) == [
                .launch(clip: "z"), .launch(clip: "a"), .launch(clip: "b"), .stopAll, .launch(clip: "c"),
            ])
        #expect(schedule.map(\.frame.rawValue) == [0, 48_000, 48_000, 48_000, 96_000])
        #expect(schedule.map(\.entry.line) == [4, 2, 3, 5, 1])
    }

    @Test("Empty lines, blanks and Windows line ends are no matter")
    func blanks() throws {
        let script = try PerformanceScript(
            text: "\r\n  \t\r\n{\"at\": 0, \"do\": \"stopAll\"}\r\n\n\n{\"at\": 1, \"do\": \"stopAll\"}", path: "s")
        #expect(script.entries.map(\.line) == [3, 6])
        #expect(try PerformanceScript(text: "", path: "s").entries.isEmpty)
    }
}
