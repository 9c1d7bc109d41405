/// What a session does with MIDI controllers: its key `midi`.
public struct MIDIDocument: Hashable, Sendable {
    /// A family of grid controllers.
    public enum Grid: String, Hashable, Sendable, CaseIterable {
        /// Launchpad X, Mini MK3 and Pro MK3 in programmer mode.
        case launchpad
        /// The first Launchpads: S, Mini MK1 and MK2.
        case launchpadClassic
    }

    /// What a control does.
    public struct Mapping: Hashable, Sendable {
        /// The kinds of messages that controls send.
        public enum Message: String, Hashable, Sendable, CaseIterable {
            /// A key or pad.
            case note
            /// A knob, fader or button.
            case controller = "cc"
            /// A program change.
            case program
        }

        /// The kind of message.
        public var message: Message
        /// The channel, 0 … 15; `nil` for any.
        public var channel: Int?
        /// The key, controller or program, 0 … 127.
        public var number: Int
        /// What is done.
        public var action: JSONValue
        /// The key of the action that the control's value goes to; `nil` where it only triggers.
        public var key: String?
        /// What the lowest value stands for.
        public var from: Double
        /// What the highest value stands for.
        public var to: Double
    }

    /// The grid that shows the clips; `nil` for none.
    public var grid: Grid?
    /// Whether program changes launch scenes.
    public var launchesScenes = true
    /// The controls that do something else.
    public var mappings: [Mapping] = []

    /// Nothing mapped.
    public init() {}

    /// Reads the session's key `midi`; what is missing has its default.
    public init(_ document: SessionDocument) throws(SessionError) {
        var reader = try ObjectReader(document.rest["midi"] ?? .object([:]), file: document.name, path: "midi")
        if try reader.string("grid") != nil { grid = try reader.word("grid", default: Grid.launchpad) }
        launchesScenes = try reader.bool("launchesScenes", default: true)
        for mapping in try reader.objects("mappings") { mappings.append(try Mapping(mapping)) }
    }

    /// The key's value.
    public var json: JSONValue {
        [
            "grid": grid.map { .string($0.rawValue) } ?? .null, "launchesScenes": .bool(launchesScenes),
            "mappings": .array(mappings.map(\.json)),
        ]
    }
}

extension MIDIDocument.Mapping {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        guard try reader.string("message") != nil else {
            throw reader.error("message", expected: "\"note\", \"cc\" or \"program\"")
        }
        message = try reader.word("message", default: .note)
        channel = try reader.integer("channel", within: 0...15)
        guard let number = try reader.integer("number", within: 0...127) else {
            throw reader.error("number", expected: "a whole number from 0 to 127")
        }
        self.number = number
        key = try reader.string("key")
        from = try reader.number("from") ?? 0
        to = try reader.number("to") ?? 1
        action = reader.value("action") ?? .null
        // An action that could not be done is refused now, not when the control is moved.
        if case .manage(.learn) = try ControlAction(action(for: 0), source: reader.file) {
            throw reader.error("action", expected: "an action other than \"learn\"")
        }
    }

    /// The action for a control's value, 0 … 127.
    public func action(for value: Int) -> JSONValue {
        guard let key, case .object(var values) = action else { return action }
        values[key] = key == "on" ? .bool(value >= 64) : .number(from + (to - from) * Double(value) / 127)
        return .object(values)
    }

    var json: JSONValue {
        var values: [String: JSONValue] = [
            "message": .string(message.rawValue), "number": .number(Double(number)), "action": action,
        ]
        values["channel"] = channel.map { .number(Double($0)) } ?? .null
        if let key { values.merge(["key": .string(key), "from": .number(from), "to": .number(to)]) { $1 } }
        return .object(values)
    }
}
