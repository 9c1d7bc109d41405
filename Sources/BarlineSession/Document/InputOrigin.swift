/// An internal source of an input, instead of the capture device.
public enum InputOrigin: Hashable, Sendable {
    /// A track, after its effects and its fader.
    case track(String)
    /// An output; the main one is `main`.
    case output(String)
}

extension ValueType where Value == InputOrigin {
    /// A track or an output.
    static var origin: ValueType {
        let expected = "{\"track\": an identifier} or {\"output\": a name}"
        let object = ValueType<JSONValue>.object(
            expected, examples: [["output": "main"], ["track": "drums"]])
        return ValueType(
            facts: object.facts,
            read: { reader, key throws(SessionError) in
                if reader.value(key) == .null { return nil }
                guard let value = try object.read(&reader, key) else { return nil }
                guard case .object(let values) = value, values.count == 1, let (word, name) = values.first,
                    case .string(let name) = name, !name.isEmpty
                else { throw reader.error(key, expected: expected) }
                switch word {
                case "track": return .track(name)
                case "output": return .output(name)
                default: throw reader.error(key, expected: expected)
                }
            },
            write: { origin in
                switch origin {
                case .track(let id): ["track": .string(id)]
                case .output(let name): ["output": .string(name)]
                }
            })
    }
}
