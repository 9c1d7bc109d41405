import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// What the values of a control stand for.
@Suite("Controls of MIDI controllers", .fewAtATime)
struct MIDIMappingTests {
    private func mapping(_ json: String) throws -> MIDIDocument.Mapping {
        let value = try JSONValue(parsing: Data(json.utf8))
        return try MIDIDocument.Mapping(ObjectReader(value, file: "test", path: ""))
    }

    private func number(_ mapping: MIDIDocument.Mapping, _ value: Int) throws -> Double {
        guard case .object(let action) = mapping.action(for: value),
            case .number(let number)? = action[mapping.key ?? ""]
        else { throw CancellationError() }
        return number
    }

    @Test("Equal turns of a knob are equal intervals of a cutoff")
    func logarithmic() throws {
        let knob = try mapping(
            """
            {"message": "cc", "number": 1, "key": "value", "from": 40, "to": 10240,
             "action": {"do": "effect", "effect": "f", "parameter": "cutoff"}}
            """)
        #expect(try number(knob, 0) == 40 && number(knob, 127) == 10_240)
        for value in 0..<127 {
            let interval = log2(try number(knob, value + 1) / number(knob, value))
            #expect(abs(interval - 8.0 / 127) < 1e-9)
        }
    }

    @Test(
        "Without bounds a control goes over the range that its key is declared to have",
        arguments: [
            (#"{"do": "effect", "effect": "f", "parameter": "cutoff"}"#, "value", 20.0, 20_000.0),
            (#"{"do": "gain", "track": "t"}"#, "db", -60, 6), (#"{"do": "pan", "track": "t"}"#, "value", -1, 1),
            (#"{"do": "tempo"}"#, "bpm", 60, 180), (#"{"do": "metronome"}"#, "swing", 50, 75),
        ])
    func declared(action: String, key: String, from: Double, to: Double) throws {
        let control = try mapping(#"{"message": "cc", "number": 1, "action": \#(action), "key": "\#(key)"}"#)
        #expect(control.from == from && control.to == to)
        let given = try mapping(
            #"{"message": "cc", "number": 1, "action": \#(action), "key": "\#(key)", "from": \#(to), "to": \#(from)}"#)
        #expect(given.from == to && given.to == from)
        #expect(try number(given, 0) == to && number(given, 127) == from)
    }

    @Test("A control that goes over whole numbers stands for one of them at every value")
    func whole() throws {
        let control = try mapping(
            """
            {"message": "cc", "number": 1, "action": {"do": "launchScene"}, "key": "scene", "from": 0, "to": 7}
            """)
        let scenes = try (0...127).map { try number(control, $0) }
        let expected = (0...127).map { (value: Int) -> Double in (Double(value) * 7 / 127).rounded() }
        #expect(scenes == expected)
        for value in 0...127 {
            #expect(throws: Never.self) { try ControlAction(control.action(for: value), source: "test") }
        }
    }

    @Test("Keys of a mapping that this version does not know are kept")
    func unknownKeys() throws {
        let control = try mapping(
            #"{"message": "cc", "number": 1, "action": {"do": "stopAll"}, "comment": "left knob", "x": [1]}"#)
        guard case .object(let values) = control.json else { throw CancellationError() }
        #expect(values["comment"] == "left knob" && values["x"] == [1] && values["number"] == 1)
    }

    @Test("What is learnt has the same range, which goes without saying")
    func learnt() throws {
        let json = #"{"do": "learn", "action": {"do": "gain", "track": "t"}, "key": "db"}"#
        let value = try JSONValue(parsing: Data(json.utf8))
        guard case .manage(.learn(let learnRequest?)) = try ControlAction(value, source: "test") else {
            Issue.record("it is no lesson")
            return
        }
        let learnt = learnRequest.mapping(.controller, channel: 0, number: 7)
        #expect(learnt.from == -60 && learnt.to == 6)
        #expect(try Verbs.echo(value, source: "test") == value)
    }

    @Test("What is counted goes by one with each step of a control, from the first on or about none")
    func counted() throws {
        for (action, key, first) in [(#""do": "launchScene""#, "scene", 0), (#""do": "stepScene""#, "by", -64)] {
            let json = #"{"do": "learn", "action": {\#(action)}, "key": "\#(key)"}"#
            guard
                case .manage(.learn(let learnt?)) = try ControlAction(
                    JSONValue(parsing: Data(json.utf8)), source: "test")
            else {
                Issue.record("it is no lesson")
                return
            }
            let control = learnt.mapping(.controller, channel: 0, number: 7)
            for value in 0...127 {
                guard case .object(let values) = control.action(for: value) else { return }
                #expect(values[key] == .number(Double(first + value)))
            }
        }
    }

    /// A fader that works, beside what is no mapping.
    private static let fader = #"{"message": "cc", "number": 7, "action": {"do": "gain", "track": "t"}, "key": "db"}"#

    @Test(
        "Beside an entry that can't be used the others work; it is named, and stays in the session",
        arguments: [
            (#"{"message": "cc", "number": 128, "action": {"do": "tap"}}"#, "number: expected a whole number"),
            (#"{"message": "cc", "number": 1}"#, "action: expected an action, found nothing"),
            (#"{"message": "cc", "number": 1, "action": null}"#, "action: expected an action, found null"),
            (#"{"message": "pitch", "number": 1, "action": {"do": "tap"}}"#, "message: expected"),
            (#"{"message": "note", "channel": 16, "number": 1, "action": {"do": "tap"}}"#, "channel: expected"),
            (#"{"message": "cc", "number": "7", "action": {"do": "tap"}}"#, "number: expected"),
            (#""x""#, " expected an object"),
            ("null", " expected an object"), (#"{"message": "note", "number": 1, "action": {"do": "nope"}}"#, "nope"),
        ])
    func leftOut(entry: String, words: String) throws {
        let midi = #"{"grid": "launchpad", "mappings": [\#(entry), \#(Self.fader)]}"#
        let json = #"{"barline": 1, "tracks": [{"id": "t"}], "midi": \#(midi)}"#
        let document = try SessionDocument(try JSONValue(parsing: Data(json.utf8)), file: "set")
        let read = MIDIDocument(document)
        #expect(read.grid == .launchpad && read.mappings.map(\.number) == [7])
        let warnings = MIDIDocument.warnings(of: document, file: "set").map(\.description)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains(words) == true, "\(warnings)")
        #expect(warnings.first?.hasSuffix(", which is left out") == true)
        guard case .object(let values) = read.json, case .array(let entries)? = values["mappings"] else {
            throw CancellationError()
        }
        #expect(entries.count == 2)
        #expect(try entries.first == JSONValue(parsing: Data(entry.utf8)))
    }

    @Test(
        "A setting that can't be used is named, and stays in the session; the rest is used",
        arguments: [
            (#"{"grid": "push", "mappings": [\#(fader)]}"#, "midi.grid: expected"),
            (#"{"launchesScenes": "no", "mappings": [\#(fader)]}"#, "midi.launchesScenes: expected"),
            (#"{"mappings": {}, "later": 1}"#, "midi.mappings: expected a list"), (#""x""#, "midi: expected an object"),
            ("[]", "midi: expected an object"),
        ])
    func settings(midi: String, words: String) throws {
        let json = #"{"barline": 1, "tracks": [{"id": "t"}], "midi": \#(midi)}"#
        let document = try SessionDocument(try JSONValue(parsing: Data(json.utf8)), file: "set")
        let read = MIDIDocument(document)
        #expect(read.mappings.count == (midi.contains("gain") ? 1 : 0) && read.grid == nil && read.launchesScenes)
        let warnings = MIDIDocument.warnings(of: document, file: "set").map(\.description)
        #expect(warnings.count == 1 && warnings.first?.contains(words) == true, "\(warnings)")
        guard case .object(let before) = try JSONValue(parsing: Data(midi.utf8)) else { return }
        guard case .object(let after) = read.json else { throw CancellationError() }
        for (key, value) in before where key != "mappings" || midi.contains("later") { #expect(after[key] == value) }
    }

    @Test("Controls are taught and forgotten beside an entry that can't be used")
    func edits() async throws {
        let stage = try await EditStage(
            #"{"barline": 1, "midi": {"grid": "push", "mappings": [{"message": "cc", "number": 1}]}}"#)
        try await stage.act(
            #"{"do": "addMapping", "mapping": {"message": "cc", "number": 9, "action": {"do": "tap"}}}"#)
        try await stage.act(#"{"do": "editMIDI", "set": {"launchesScenes": false}}"#)
        var midi = MIDIDocument(stage.document)
        #expect(midi.mappings.map(\.number) == [9] && midi.entries.count == 2 && !midi.launchesScenes)
        #expect(midi.unread == ["grid": "push"])
        try await stage.act(#"{"do": "removeMapping", "index": 0}"#)
        midi = MIDIDocument(stage.document)
        #expect(midi.mappings.map(\.number) == [9] && midi.entries.count == 1)
        #expect(MIDIDocument.warnings(of: stage.document, file: "set").count == 1, "the grid")
        try await stage.act(#"{"do": "editMIDI", "set": {"grid": "launchpad"}}"#)
        #expect(
            MIDIDocument.warnings(of: stage.document, file: "set").isEmpty
                && MIDIDocument(stage.document).grid == .launchpad)
    }
}
