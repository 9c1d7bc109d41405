import Foundation
import Testing

@testable import BarlineSession

/// What the values of a control stand for.
@Suite("Controls of MIDI controllers")
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
        #expect(scenes == (0...127).map { (Double($0) * 7 / 127).rounded() })
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
}
