import BarlineTestSupport
import BarlineTime
import Foundation
import Testing

@testable import BarlineSession

/// What the registry declares of a verb is what the verb takes: every test here walks all of them.
@Suite("Verbs", .fewAtATime)
struct VerbTests {
    /// Every form of every verb.
    static let forms: [(verb: VerbFacts, form: FormFacts)] = Verbs.facts.flatMap { verb in
        verb.forms.map { (verb, $0) }
    }

    private func read(_ object: [String: JSONValue]) throws -> ControlAction {
        try ControlAction(.object(object), source: "test")
    }

    @Test("A word is that of one verb, and every verb says what it does")
    func words() {
        #expect(Set(Verbs.facts.map(\.word)).count == Verbs.facts.count)
        #expect(Verbs.facts.count >= 60)
        for verb in Verbs.facts {
            #expect(verb.summary.hasSuffix(".") && verb.summary.count > 10, "\(verb.word)")
            for form in verb.forms { #expect(Set(form.arguments.map(\.key)).count == form.arguments.count) }
        }
    }

    @Test("What is declared is read, and written again as it was", arguments: UInt64(0)..<20)
    func understood(seed: UInt64) throws {
        var actions = RandomActions(seed: seed)
        for (verb, form) in VerbTests.forms {
            let object = actions.object(verb, form)
            let line = Comment(rawValue: JSONValue.object(object).line)
            _ = try read(object)
            guard case .object(let told) = try Verbs.echo(.object(object), source: "test") else { continue }
            for (key, value) in told where object[key] != nil { #expect(value == object[key], line) }
            for (key, value) in object where told[key] == nil {
                let argument = form.arguments.first { $0.key == key }
                #expect(argument?.standard == value, "\(key) of \(line) is lost")
            }
            #expect(try Verbs.echo(.object(told), source: "test") == .object(told), line)
        }
    }

    @Test("A word of the script is written as a line that is read as itself", arguments: UInt64(0)..<20)
    func scripts(seed: UInt64) throws {
        var actions = RandomActions(seed: seed)
        var written = 0
        for (verb, form) in VerbTests.forms {
            let object = actions.object(verb, form)
            guard case .perform(let action, at: nil) = try read(object) else { continue }
            let line = PerformanceScript.line(action, at: FrameTime(4800))
            let entry = try #require(try PerformanceScript(text: line, path: "s").entries.first)
            #expect(entry.action == action && entry.time == .frame(FrameTime(4800)), "\(line)")
            #expect(line.contains("\"do\":\"\(verb.word)\""), "\(line)")
            written += 1
        }
        #expect(written >= 45)
    }

    @Test("A session within a recording is written as a line that is read as itself")
    func edits() throws {
        let line = PerformanceScript.line(.session(SessionDocument()), at: FrameTime(1))
        #expect(try PerformanceScript(text: line, path: "s").entries.map(\.action) == [.session(SessionDocument())])
        let value = try JSONValue(parsing: line)
        #expect(throws: SessionError.self) { try ControlAction(value, source: "test") }
    }

    @Test("What is out of range is refused, and the key is named")
    func outside() throws {
        var actions = RandomActions(seed: 1)
        var refused = 0
        for (verb, form) in VerbTests.forms {
            for argument in form.arguments {
                for value in RandomActions.outside(argument.value) {
                    var object = actions.object(verb, form)
                    for other in argument.group { object[other] = nil }
                    object[argument.key] = value
                    let error = #expect(throws: SessionError.self, "\(verb.word) \(argument.key) \(value)") {
                        try read(object)
                    }
                    guard let error else { continue }
                    #expect("\(error)".hasPrefix("test: \(argument.key): expected "), "\(error)")
                    #expect("\(error)".contains(", found "), "\(error)")
                    refused += 1
                }
            }
        }
        #expect(refused > 300)
    }

    @Test(
        "What things are found by can't be set, nor a track's clips",
        arguments: [
            (#"{"do": "editClip", "clip": "a", "set": {"id": "q"}}"#, "id"),
            (#"{"do": "editTrack", "track": "t", "set": {"id": "q"}}"#, "id"),
            (#"{"do": "editTrack", "track": "t", "set": {"name": "x", "clips": []}}"#, "clips"),
            (#"{"do": "editStem", "stem": "s", "set": {"id": "q"}}"#, "id"),
            (#"{"do": "editEffect", "track": "t", "effect": "f", "set": {"id": "q"}}"#, "id"),
            (#"{"do": "editPad", "pad": "p", "set": {"id": "q"}}"#, "id"),
        ])
    func fixed(action: String, key: String) throws {
        let error = #expect(throws: SessionError.self) {
            try ControlAction(try JSONValue(parsing: Data(action.utf8)), source: "test")
        }
        #expect("\(try #require(error))".hasPrefix("test: set.\(key): expected no "))
    }

    @Test("What must be there is refused where it is missing, and the key is named")
    func missing() throws {
        var actions = RandomActions(seed: 2)
        for (verb, form) in VerbTests.forms {
            for argument in form.arguments where argument.isRequired && argument.group.isEmpty {
                if argument.key == form.presence { continue }
                var object = actions.object(verb, form)
                object[argument.key] = nil
                let error = #expect(throws: SessionError.self, "\(verb.word) \(argument.key)") { try read(object) }
                #expect("\(try #require(error))".hasPrefix("test: \(argument.key): expected "), "\(verb.word)")
            }
        }
    }

    @Test("A control can be mapped to every verb but learning, and its value is within the range of the key")
    func controllers() throws {
        var actions = RandomActions(seed: 3)
        var learnable = 0
        for (verb, form) in VerbTests.forms {
            let object = actions.object(verb, form)
            func mapping(_ more: [String: JSONValue]) throws -> MIDIDocument.Mapping {
                let values: [String: JSONValue] = ["message": "cc", "number": 1, "action": .object(object)]
                let mapping = JSONValue.object(values.merging(more) { $1 })
                return try MIDIDocument.Mapping(ObjectReader(mapping, file: "test", path: ""))
            }
            if verb.word == "learn" {
                #expect(throws: SessionError.self) { try mapping([:]) }
                continue
            }
            #expect(try mapping([:]).action(for: 127) == .object(object))
            for argument in form.arguments where object[argument.key] != nil {
                guard let control = argument.value.control else { continue }
                let mapped = try mapping([
                    "key": .string(argument.key), "from": .number(control.lowerBound),
                    "to": .number(control.upperBound),
                ])
                for value in [0, 64, 127] { _ = try ControlAction(mapped.action(for: value), source: "test") }
                learnable += 1
            }
        }
        #expect(learnable >= 4)
    }
}
