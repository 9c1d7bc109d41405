import BarlineSession

/// The addresses of OSC: each verb that declares an order of its arguments is one, with its values in that order; for
/// controllers that send numbers only, names may be in the address.
package enum OSCAction {
    private static let prefix = "/barline/"

    /// The verbs that have an address, by their words.
    private static let verbs = Dictionary(
        Reference.verbs.filter { $0.osc != nil }.map { ($0.word, $0) }, uniquingKeysWith: { $1 })

    /// An action as an object; `nil` where the message means nothing.
    package static func action(_ message: OSCMessage) -> JSONValue? {
        guard let parts = parts(of: message), !message.arguments.contains(where: \.isBlob) else { return nil }
        switch parts.count {
        case 1: return plain(parts[0], message.arguments)
        case 2: return named(parts[0], parts[1], message.arguments)
        case 3: return strip(kind: parts[0], name: parts[1], word: parts[2], message.arguments)
        default: return nil
        }
    }

    /// Whether a button that does something when it is pressed was let go, which does nothing.
    static func isRelease(_ message: OSCMessage) -> Bool {
        guard let parts = parts(of: message), parts.count == 2, let value = message.arguments.first else {
            return false
        }
        return !isOn(value)
            && (["scene", "stop"].contains(parts[0]) || SessionParts.addressed.contains { $0.named[parts[0]] != nil })
    }

    private static func parts(of message: OSCMessage) -> [String]? {
        guard message.address.hasPrefix(prefix) else { return nil }
        return message.address.dropFirst(prefix.count).split(separator: "/").map(String.init)
    }

    private static func plain(_ word: String, _ arguments: [OSCArgument]) -> JSONValue? {
        if word == "action", case .text(let json)? = arguments.first { return try? JSONValue(parsing: json) }
        let text: String? = if case .text(let text)? = arguments.first { text } else { nil }
        guard let verb = verbs[word], let keys = verb.oscKeys(count: arguments.count, text: text) else { return nil }
        return object(verb, keys, arguments)
    }

    /// `/barline/launch/NAME 1` and `/barline/footSwitch/TRACK 1` press, `0` releases; `/barline/scene/NUMBER 1`
    /// launches a row; verbs of parts have addresses of this kind too.
    private static func named(_ word: String, _ name: String, _ arguments: [OSCArgument]) -> JSONValue? {
        let isDown = arguments.first.map(isOn) ?? true
        switch word {
        case "launch": return ["do": isDown ? "launch" : "release", "clip": .string(name)]
        case "scene": return Int(name).flatMap { isDown ? ["do": "launchScene", "scene": .number(Double($0))] : nil }
        case "footSwitch": return ["do": "footSwitch", "track": .string(name), "press": isDown ? "down" : "up"]
        case "stop": return isDown ? ["do": "stop", "track": .string(name)] : nil
        default:
            guard let keys = SessionParts.addressed.lazy.compactMap({ $0.named[word] }).first, let verb = verbs[word],
                isDown, case .object(var values) = object(verb, [keys.value], arguments)
            else { return nil }
            values[keys.name] = .string(name)
            return .object(values)
        }
    }

    /// `/barline/track/NAME/gain -6`, `/barline/stem/NAME/mute 1`, `/barline/strip/PART/pan 0`: what begins with a
    /// track is asked of that one.
    private static func strip(kind: String, name: String, word: String, _ arguments: [OSCArgument]) -> JSONValue? {
        guard ["track", "stem", "strip"].contains(kind), let verb = verbs[word], verb.argument(kind) != nil,
            let keys = verb.osc?.first, keys.first == "track",
            case .object(var values) = object(verb, Array(keys.dropFirst()), arguments)
        else { return nil }
        values[kind] = .string(name)
        return .object(values)
    }

    private static func object(_ verb: VerbFacts, _ keys: [String], _ arguments: [OSCArgument]) -> JSONValue {
        var values: [String: JSONValue] = ["do": .string(verb.word)]
        for (key, argument) in zip(keys, arguments) {
            let isFlag = verb.argument(key)?.value.kind == .flag
            switch argument {
            case .integer(let value): values[key] = isFlag ? .bool(value != 0) : .number(Double(value))
            // Silence, as subscribers are told of it.
            case .number(-.infinity): values[key] = .null
            case .number(let value): values[key] = isFlag ? .bool(value != 0) : .number(value)
            case .text(let value): values[key] = .string(value)
            case .bool(let value): values[key] = .bool(value)
            case .null: values[key] = .null
            case .blob: break
            }
        }
        // What is a number in one form may be a switch in the one that it is.
        for argument in verb.form(of: values)?.arguments ?? [] where argument.value.kind == .flag {
            if case .number(let value)? = values[argument.key] { values[argument.key] = .bool(value != 0) }
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
