/// A type of values as JSON has them: one declaration with which they are read, written, refused and described.
package struct ValueType<Value: Sendable>: Sendable {
    /// What values may be.
    package var facts: ValueFacts
    /// Reads a key; `nil` where it is missing, or `null` without a meaning of its own.
    let read: @Sendable (inout ObjectReader, String) throws(SessionError) -> Value?
    /// A value as JSON has it.
    let write: @Sendable (Value) -> JSONValue

    /// Reads a key that must be there; where it is not, `missing` is said to be expected, or what is said of wrong
    /// values.
    func required(
        _ key: String, _ reader: inout ObjectReader, missing: String? = nil
    ) throws(SessionError) -> Value {
        guard let value = try read(&reader, key) else {
            throw reader.error(key, expected: missing ?? facts.expected)
        }
        return value
    }

    /// The same as another type in the program.
    func map<Other: Sendable>(
        _ into: @escaping @Sendable (Value) -> Other, _ back: @escaping @Sendable (Other) -> Value
    ) -> ValueType<Other> {
        ValueType<Other>(
            facts: facts,
            read: { reader, key throws(SessionError) in try read(&reader, key).map(into) },
            write: { write(back($0)) })
    }

    /// The same where `null` is a value too, which means what `meaning` says.
    package func orNone(_ meaning: String) -> ValueType<Value?> {
        var facts = facts
        facts.null = meaning
        return ValueType<Value?>(
            facts: facts,
            read: { reader, key throws(SessionError) in
                reader.has(key) ? .some(try read(&reader, key)) : nil
            }, write: { $0.map(write) ?? .null })
    }

    /// The same with the part of the range that a controller goes over.
    func controlled(over range: ClosedRange<Double>) -> ValueType {
        var type = self
        type.facts.control = range
        return type
    }
}

extension ValueType where Value == String {
    /// Any text.
    static var text: ValueType {
        var facts = ValueFacts(.text, expected: "a text")
        facts.examples = ["amen"]
        return ValueType(
            facts: facts, read: { reader, key throws(SessionError) in try reader.string(key) },
            write: JSONValue.string)
    }

    /// A text of so many bytes at most.
    package static func text(atMost count: Int) -> ValueType {
        ValueType(
            facts: text.facts,
            read: { reader, key throws(SessionError) in
                guard let text = try reader.string(key) else { return nil }
                if text.utf8.count > count { throw reader.error(key, expected: "a text") }
                return text
            }, write: JSONValue.string)
    }

    /// A text that says something; an identifier, a name, a file.
    static var words: ValueType {
        ValueType(
            facts: text.facts,
            read: { reader, key throws(SessionError) in
                guard let text = try reader.string(key) else { return nil }
                if text.isEmpty { throw reader.error(key, expected: "a text") }
                return text
            }, write: JSONValue.string)
    }
}

extension ValueType where Value == Bool {
    /// `true` or `false`.
    package static var flag: ValueType {
        ValueType(
            facts: ValueFacts(.flag, expected: "true or false"),
            read: { reader, key throws(SessionError) in
                switch reader.value(key) {
                case nil, .null: return nil
                case .bool(let isOn): return isOn
                default: throw reader.error(key, expected: "true or false")
                }
            }, write: JSONValue.bool)
    }

    /// `true` or `false`; that it is named, with `null`, is `true`.
    static var onOff: ValueType {
        var facts = flag.facts
        facts.null = "`true`"
        return ValueType(
            facts: facts,
            read: { reader, key throws(SessionError) in
                reader.has(key) ? try flag.read(&reader, key) ?? true : nil
            }, write: JSONValue.bool)
    }
}

extension ValueType where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enumeration.
    static var word: ValueType {
        words(Value.allCases.map(\.rawValue), { Value(rawValue: $0) }, { .string($0.rawValue) })
    }
}

extension ValueType {
    /// One of `words`, each of which `value` converts.
    static func words(
        _ words: [String], _ value: @escaping @Sendable (String) -> Value?,
        _ write: @escaping @Sendable (Value) -> JSONValue
    ) -> ValueType {
        var facts = ValueFacts(.text, expected: words.map { "\"\($0)\"" }.joined(separator: " or "))
        facts.words = words
        return ValueType(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                guard let text = try reader.string(key) else { return nil }
                guard words.contains(text), let value = value(text) else {
                    throw reader.error(key, expected: facts.expected)
                }
                return value
            }, write: write)
    }
}

extension ValueType where Value == JSONValue {
    /// Any object.
    static func object(_ expected: String, examples: [JSONValue]) -> ValueType {
        var facts = ValueFacts(.object, expected: expected)
        facts.examples = examples
        return ValueType(
            facts: facts,
            read: { reader, key throws(SessionError) in
                switch reader.value(key) {
                case nil: return nil
                case .object(let values)?: return .object(values)
                default: throw reader.error(key, expected: expected)
                }
            }, write: { $0 })
    }
}
