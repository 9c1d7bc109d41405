import BarlineHost
import BarlineSession
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineServer

/// Every verb reaches the session by every way in; the registry is walked, so that a new one is tried too.
@Suite("The reach of verbs", .serialized)
struct VerbReachTests {
    private static func objects(seed: UInt64) -> [(verb: VerbFacts, object: [String: JSONValue])] {
        var actions = RandomActions(seed: seed)
        return Reference.verbs.flatMap { verb in verb.forms.map { (verb, actions.object(verb, $0)) } }
    }

    /// Whether an answer says that nobody knows the word, or an argument.
    private static func isUnderstood(_ answer: JSONValue?) -> Bool {
        guard let error = answer?["error"]?.text else { return answer?["ok"] == true }
        return !error.contains("do: expected") && !error.contains("out of range")
    }

    @Test("HTTP takes every verb")
    func http() async throws {
        try await serving { served async throws in
            for (verb, object) in VerbReachTests.objects(seed: 1) where verb.kind != .output {
                let answer = try served.act(JSONValue.object(object).line)["results"]?.list.first
                #expect(VerbReachTests.isUnderstood(answer), "\(JSONValue.object(object).line): \(answer?.line ?? "")")
            }
        }
    }

    @Test("The WebSocket takes every verb")
    func socket() async throws {
        try await serving { served async throws in
            let socket = try TestWebSocket(port: served.port)
            for (index, (_, object)) in VerbReachTests.objects(seed: 2).enumerated() {
                // These close sockets, or open one of the machine's.
                if object["do"] == "osc" || object["do"] == "newLinks" { continue }
                let asked = object.merging(["request": .number(Double(index))]) { $1 }
                socket.send(JSONValue.object(asked).line)
                let answer = try socket.json("ack") { $0["request"] == .number(Double(index)) }
                #expect(VerbReachTests.isUnderstood(answer), "\(JSONValue.object(object).line): \(answer.line)")
            }
        }
    }

    @Test(
        "What the first value of a message chooses has its values in their order, and switches are numbers too",
        arguments: [
            ("playlist", [.text("consume"), .bool(false)], ["action": "consume", "on": false]),
            ("playlist", [.text("shuffle"), .integer(0)], ["action": "shuffle", "on": false]),
            ("playlist", [.text("shuffle"), .integer(1), .integer(7)], ["action": "shuffle", "on": true, "seed": 7]),
            ("playlist", [.text("crossfade"), .number(2.5)], ["action": "crossfade", "seconds": 2.5]),
            ("playlist", [.text("gain"), .number(-3)], ["action": "gain", "db": -3]),
            ("playlist", [.text("seek"), .number(12)], ["action": "seek", "position": 12]),
            ("playlist", [.text("play"), .integer(2)], ["action": "play", "index": 2]),
            ("playlist", [.text("move"), .integer(3), .integer(0)], ["action": "move", "from": 3, "to": 0]),
            ("playlist", [.text("transpose"), .number(2)], ["action": "transpose", "semitones": 2]),
            ("stems", [.text("gain"), .number(-3)], ["action": "gain", "db": -3]),
            ("stems", [.text("loop"), .bool(false)], ["action": "loop", "on": false]),
            ("stems", [.text("loop"), .number(1), .number(3)], ["action": "loop", "start": 1, "end": 3]),
            (
                "effect", [.text("filter"), .text("cutoff"), .number(600)],
                ["effect": "filter", "parameter": "cutoff", "value": 600]
            ),
            (
                "effect", [.text("t"), .text("filter"), .text("bypass"), .integer(1)],
                ["track": "t", "effect": "filter", "parameter": "bypass", "value": true]
            ),
        ] as [(String, [OSCArgument], [String: JSONValue])])
    func chosen(word: String, values: [OSCArgument], object: [String: JSONValue]) {
        let message = OSCMessage(address: "/barline/\(word)", arguments: values)
        var expected = object
        expected["do"] = .string(word)
        #expect(OSCAction.action(message) == .object(expected))
    }

    @Test("OSC takes every verb that declares an order of values, with those values")
    func osc() throws {
        var reached: Set<String> = []
        for seed in UInt64(3)..<63 {
            for (verb, object) in VerbReachTests.objects(seed: seed) {
                for keys in verb.osc ?? [] {
                    // Values are given up to the first that is missing, and must be all that is said.
                    let given = keys.prefix { object[$0] != nil }
                    guard Set(given).union(["do"]) == Set(object.keys) else { continue }
                    let text = given.first.flatMap { object[$0]?.text }
                    guard verb.oscKeys(count: given.count, text: text) == keys else { continue }
                    let values = given.map { VerbReachTests.argument(object[$0] ?? .null) }
                    let message = OSCMessage(address: "/barline/\(verb.word)", arguments: values)
                    #expect(OSCAction.action(message) == .object(object), "\(JSONValue.object(object).line)")
                    reached.insert(verb.word)
                }
                let json = OSCMessage(
                    address: "/barline/action", arguments: [.text(JSONValue.object(object).line)])
                #expect(OSCAction.action(json) == .object(object))
            }
        }
        #expect(reached == Set(Reference.verbs.filter { $0.osc != nil }.map(\.word)))
    }

    private static func argument(_ value: JSONValue) -> OSCArgument {
        switch value {
        case .bool(let isOn): .bool(isOn)
        case .number(let number): .number(number)
        case .string(let text): .text(text)
        case .null, .integer, .array, .object: .null
        }
    }

    @Test("Of outputs and the server, what is out of range is refused, and the key is named")
    func services() throws {
        var actions = RandomActions(seed: 4)
        try refusals(OutputRequests.self, &actions)
        try refusals(ServerRequests.self, &actions)
    }

    private func refusals<Service: ControlService>(_ service: Service.Type, _ actions: inout RandomActions) throws {
        for verb in service.verbs.map(\.facts) {
            for form in verb.forms {
                let object = actions.object(verb, form)
                #expect(try service.action(of: .object(object)) != nil)
                for argument in form.arguments {
                    for value in RandomActions.outside(argument.value) {
                        let wrong = object.merging([argument.key: value]) { $1 }
                        let error = #expect(throws: ControlRefusal.self) {
                            try service.action(of: .object(wrong))
                        }
                        let text = "\(try #require(error))"
                        #expect(text.hasPrefix("action.\(argument.key): expected "), "\(text)")
                    }
                }
            }
        }
    }
}
