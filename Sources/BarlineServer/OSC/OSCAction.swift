import BarlineSession

/// What OSC addresses mean: each word of the performance script is one, with its values in the order that
/// docs/protocol.md gives; for controllers that send numbers only, names may be in the address.
enum OSCAction {
    private static let prefix = "/barline/"

    /// The keys of the values, by word.
    private static let keys: [String: [String]] = [
        "launch": ["clip"], "release": ["clip"], "launchScene": ["scene"], "stop": ["track"], "stopNow": ["track"],
        "stopAll": [], "tempo": ["bpm", "ramp"], "timeSignature": ["value"], "quantization": ["value"], "tap": [],
        "gain": ["track", "db"], "pan": ["track", "value"], "mute": ["track", "on"], "solo": ["track", "on"],
        "startPosition": ["clip", "value"], "transport": ["action"], "metronome": ["on"],
        "stems": ["action", "position"], "playlist": ["action", "position"], "resetOvers": [], "undo": [], "redo": [],
        "save": [], "toggle": ["what", "track"], "stepScene": ["by"],
    ]
    private static let booleans: Set<String> = ["on"]

    /// An action as an object; `nil` where the message means nothing.
    static func action(_ message: OSCMessage) -> JSONValue? {
        guard message.address.hasPrefix(prefix) else { return nil }
        let parts = message.address.dropFirst(prefix.count).split(separator: "/").map(String.init)
        switch parts.count {
        case 1: return plain(parts[0], message.arguments)
        case 2: return named(parts[0], parts[1], message.arguments)
        case 3: return strip(kind: parts[0], name: parts[1], word: parts[2], message.arguments)
        default: return nil
        }
    }

    private static func plain(_ word: String, _ arguments: [OSCArgument]) -> JSONValue? {
        if word == "action", case .text(let json)? = arguments.first { return try? JSONValue(parsing: json) }
        if word == "gain", arguments.count == 1 { return object("gain", ["db"], arguments) }
        guard let keys = keys[word] else { return nil }
        return object(word, keys, arguments)
    }

    /// `/barline/launch/NAME 1` presses, `0` releases; `/barline/scene/NUMBER 1` launches a row.
    private static func named(_ word: String, _ name: String, _ arguments: [OSCArgument]) -> JSONValue? {
        let isDown = arguments.first.map(isOn) ?? true
        switch word {
        case "launch": return ["do": isDown ? "launch" : "release", "clip": .string(name)]
        case "scene": return Int(name).flatMap { isDown ? ["do": "launchScene", "scene": .number(Double($0))] : nil }
        case "stop": return isDown ? ["do": "stop", "track": .string(name)] : nil
        case "stem": return nil
        default: return nil
        }
    }

    /// `/barline/track/NAME/gain -6`, `/barline/stem/NAME/mute 1`.
    private static func strip(kind: String, name: String, word: String, _ arguments: [OSCArgument]) -> JSONValue? {
        guard kind == "track" || kind == "stem", let keys = keys[word], keys.first == "track" else { return nil }
        guard kind == "track" || keys.count == 2 else { return nil }
        guard case .object(var values) = object(word, Array(keys.dropFirst()), arguments) else { return nil }
        values[kind] = .string(name)
        return .object(values)
    }

    private static func object(_ word: String, _ keys: [String], _ arguments: [OSCArgument]) -> JSONValue {
        var values: [String: JSONValue] = ["do": .string(word)]
        for (key, argument) in zip(keys, arguments) {
            switch argument {
            case .integer(let value): values[key] = booleans.contains(key) ? .bool(value != 0) : .number(Double(value))
            case .number(let value): values[key] = booleans.contains(key) ? .bool(value != 0) : .number(value)
            case .text(let value): values[key] = .string(value)
            case .bool(let value): values[key] = .bool(value)
            case .null: values[key] = .null
            case .blob: break
            }
        }
        return .object(values)
    }

    private static func isOn(_ argument: OSCArgument) -> Bool {
        switch argument {
        case .integer(let value): value != 0
        case .number(let value): value != 0
        case .bool(let value): value
        case .text, .blob, .null: true
        }
    }
}
