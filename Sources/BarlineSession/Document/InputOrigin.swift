/// An internal source of an input, instead of the capture device.
public enum InputOrigin: Hashable, Sendable {
    /// A track, after its effects and its fader.
    case track(String)
    /// An output; the main one is `main`.
    case output(String)
}

/// The source of an input as a session file has it.
package struct KeptOrigin: Hashable, Sendable {
    var origin: InputOrigin
    /// Unknown keys, which are kept.
    var rest: [String: JSONValue] = [:]

    fileprivate static let words = ["track", "output"]
}

extension ValueType where Value == KeptOrigin {
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
                guard case .object(let values) = value else { throw reader.error(key, expected: expected) }
                let named = KeptOrigin.words.filter { values[$0] != nil }
                guard named.count == 1, case .string(let name)? = values[named[0]], !name.isEmpty else {
                    throw reader.error(key, expected: expected)
                }
                return KeptOrigin(
                    origin: named[0] == "track" ? .track(name) : .output(name),
                    rest: values.filter { $0.key != named[0] })
            },
            write: { kept in
                var values = kept.rest
                switch kept.origin {
                case .track(let id): values["track"] = .string(id)
                case .output(let name): values["output"] = .string(name)
                }
                return .object(values)
            })
    }
}
