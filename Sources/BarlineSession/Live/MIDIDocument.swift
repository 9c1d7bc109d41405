import Foundation

/// The settings of a session for MIDI controllers: its key `midi`.
package struct MIDIDocument: Hashable, Sendable {
    /// A family of grid controllers.
    package enum Grid: String, Hashable, Sendable, CaseIterable {
        /// Launchpad X, Mini MK3 and Pro MK3 in programmer mode.
        case launchpad
        /// The first Launchpads: S, Mini MK1 and MK2.
        case launchpadClassic
    }

    /// The mapping of a control to an action.
    package struct Mapping: Hashable, Sendable {
        /// The kinds of messages that controls send.
        package enum Message: String, Hashable, Sendable, CaseIterable {
            /// A key or pad.
            case note
            /// A knob, fader or button.
            case controller = "cc"
            /// A program change.
            case program
        }

        /// The kind of message.
        package var message: Message
        /// The channel, 0 … 15; `nil` for any.
        package var channel: Int?
        /// The key, controller or program, 0 … 127.
        package var number: Int
        /// What is done.
        package var action: JSONValue
        /// The key of the action that the control's value goes to; `nil` where it only triggers.
        package var key: String?
        /// What the lowest value stands for.
        package var from: Double
        /// What the highest value stands for.
        package var to: Double
        /// Whether it is a switch that stays where it is put, and says 127 and 0 in turn: each of them is a press.
        package var isLatching = false
        /// Keys that this version does not know.
        package var rest: [String: JSONValue] = [:]
    }

    /// The grid that shows the clips; `nil` for none.
    package var grid: Grid?
    /// Whether program changes launch scenes.
    package var launchesScenes = true
    /// The controls that do something else, in the order of the session's list.
    var entries: [Entry] = []

    /// Keys that this version does not know.
    package var rest: [String: JSONValue] = [:]
    /// Keys with values that this version does not know.
    var unread: [String: JSONValue] = [:]

    /// Nothing mapped.
    package init() {}

    /// The controls that do something else.
    package var mappings: [Mapping] {
        entries.compactMap { if case .mapping(let mapping) = $0 { mapping } else { nil } }
    }

    /// The key's value.
    package var json: JSONValue { .object(values.merging(unread) { $1 }) }
}

extension MIDIDocument: KeyedDocument {
    static var standard: MIDIDocument { MIDIDocument() }

    static let keys: [DocumentKey<MIDIDocument>] = [
        .optional("grid", \.grid, ValueType<Grid>.word, "the grid controller that shows the clips"),
        .standard("launchesScenes", \.launchesScenes, .flag, "whether program change N launches scene N, from 0"),
        mappings,
    ]

    private static var mappings: DocumentKey<MIDIDocument> {
        DocumentKey(
            facts: ArgumentFacts(
                key: "mappings", value: ValueFacts(.list, expected: "a list"), summary: "what other controls do"),
            read: { reader, midi throws(SessionError) in
                midi.entries = []
                for mapping in try reader.objects("mappings") { midi.entries.append(.mapping(try Mapping(mapping))) }
            }, write: { $1["mappings"] = .array($0.entries.map(\.json)) }, take: { $0.entries = $1.entries })
    }
}

extension MIDIDocument.Mapping {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        message = try ValueType<Message>.word.required(
            "message", &reader, missing: "\"note\", \"cc\" or \"program\"")
        channel = try ValueType.whole(0...15).read(&reader, "channel")
        number = try ValueType.whole(0...127).required("number", &reader)
        key = try reader.string("key")
        action = reader.value("action") ?? .null
        guard case .object = action else { throw reader.error("action", expected: "an action") }
        let range = MIDIDocument.Mapping.range(of: key, in: action)
        from = try MIDIDocument.Mapping.bound.read(&reader, "from") ?? range.lowerBound
        to = try MIDIDocument.Mapping.bound.read(&reader, "to") ?? range.upperBound
        isLatching = try ValueType<Bool>.flag.read(&reader, "latching") ?? false
        rest = reader.rest
        // An action that could not be done is refused now, not when the control is moved.
        if case .manage(.learn) = try ControlAction(action(for: 0), source: reader.file) {
            throw reader.error("action", expected: "an action other than \"learn\"")
        }
    }

    /// What the lowest and the highest value may stand for.
    static let bound = ValueType.number("a number", -1e15...1e15)

    /// The action for a control's value, 0 … 127.
    package func action(for value: Int) -> JSONValue {
        guard let key, case .object(var values) = action else { return action }
        values[key] = key == "on" ? .bool(value >= 64) : .number(number(for: Double(value) / 127))
        return .object(values)
    }

    /// What stands for a share of the control's way: on a logarithmic scale where the key is declared to have one.
    private func number(for share: Double) -> Double {
        let facts = MIDIDocument.Mapping.facts(of: key, in: action)
        if facts?.isLogarithmic == true, from > 0, to > 0, share < 1 { return from * pow(to / from, share) }
        let number = from + (to - from) * share
        return facts?.kind == .whole ? number.rounded() : number
    }

    private static func facts(of key: String?, in action: JSONValue) -> ValueFacts? {
        guard let key, case .object(let values) = action, case .string(let word)? = values["do"] else { return nil }
        let verb = Verbs.control[word]?.facts
        return (verb?.form(of: values)?.arguments.first { $0.key == key } ?? verb?.argument(key))?.value
    }

    /// Whether the control is a foot switch that says when it goes up.
    package var isHeld: Bool {
        guard message != .program, !isLatching, case .object(let values) = action else { return false }
        return values["do"] == "footSwitch" && values["press"] == nil
    }

    /// What a control goes over where nothing else is said: the part of the key's range that is of use, else all of it.
    static func range(of key: String?, in action: JSONValue) -> ClosedRange<Double> {
        guard let facts = facts(of: key, in: action) else { return 0...1 }
        let range = facts.control ?? facts.range ?? 0...1
        // Of what is counted, a step of the control is one.
        if facts.kind == .whole, facts.control == nil, range.upperBound - range.lowerBound > 127 {
            return range.lowerBound < 0 ? -64...63 : range.lowerBound...range.lowerBound + 127
        }
        return range.upperBound - range.lowerBound > MIDIDocument.Mapping.widestRange ? 0...1 : range
    }

    /// A range that no control is moved over to any use: that of counts and frames.
    private static let widestRange = 1e5

    var json: JSONValue {
        var values: [String: JSONValue] = [
            "message": .string(message.rawValue), "number": .number(Double(number)), "action": action,
        ]
        values["channel"] = channel.map { .number(Double($0)) } ?? .null
        if isLatching { values["latching"] = true }
        if let key { values.merge(["key": .string(key), "from": .number(from), "to": .number(to)]) { $1 } }
        return .object(rest.merging(values) { $1 })
    }
}
