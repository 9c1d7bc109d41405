/// One argument of a verb, or several that are alternatives: how it is read, written and described.
package struct VerbArgument<Value: Sendable>: Sendable {
    let facts: [ArgumentFacts]
    let read: @Sendable (inout ObjectReader) throws(SessionError) -> Value
    let write: @Sendable (Value, inout [String: JSONValue]) -> Void
}

extension VerbArgument {
    /// An argument that must be there.
    ///
    /// - Parameters:
    ///   - key: its key.
    ///   - type: what it may be.
    ///   - summary: what it means.
    ///   - missing: what is said to be expected where it is missing; `nil` for what is said of wrong values.
    /// - Returns: the argument.
    package static func required(
        _ key: String, _ type: ValueType<Value>, _ summary: String = "", missing: String? = nil
    ) -> VerbArgument {
        VerbArgument(
            facts: [ArgumentFacts(key: key, value: type.facts, summary: summary, isRequired: true)],
            read: { reader throws(SessionError) in try type.required(key, &reader, missing: missing) },
            write: { $1[key] = type.write($0) })
    }

    /// An argument that may be missing, and is `nil` then.
    package static func optional<Wrapped>(
        _ key: String, _ type: ValueType<Wrapped>, _ summary: String = ""
    ) -> VerbArgument where Value == Wrapped? {
        VerbArgument(
            facts: [ArgumentFacts(key: key, value: type.facts, summary: summary)],
            read: { reader throws(SessionError) in try type.read(&reader, key) },
            write: { value, values in if let value { values[key] = type.write(value) } })
    }

    /// An argument that has a value where it is missing, which is not written unless `isAlwaysWritten`.
    package static func standard(
        _ key: String, _ type: ValueType<Value>, _ standard: Value, _ summary: String = "",
        isAlwaysWritten: Bool = false
    ) -> VerbArgument where Value: Equatable {
        let facts = ArgumentFacts(key: key, value: type.facts, summary: summary, standard: type.write(standard))
        return VerbArgument(
            facts: [facts],
            read: { reader throws(SessionError) in try type.read(&reader, key) ?? standard },
            write: { value, values in
                if isAlwaysWritten || value != standard { values[key] = type.write(value) }
            })
    }
}

extension VerbArgument where Value == String {
    /// The identifier of something.
    static func id(_ key: String, _ summary: String = "") -> VerbArgument { required(key, .words, summary) }
}

extension VerbArgument where Value == Double {
    /// Where a fader is moved to.
    static var level: VerbArgument { required("db", .gain, missing: "a gain in dB, or null for silence") }
}

extension VerbArgument where Value == [String: JSONValue] {
    /// The keys of a part of the document that an edit sets.
    static func set(_ part: DocumentPart, isRequired: Bool = true) -> VerbArgument {
        let expected = "an object with the keys to be set"
        var type = ValueType<JSONValue>.object(expected, examples: [part.example])
        type.facts.part = part
        let facts = ArgumentFacts(key: "set", value: type.facts, summary: part.words, isRequired: isRequired)
        return VerbArgument(
            facts: [facts],
            read: { [type] reader throws(SessionError) in
                let value = isRequired ? try type.required("set", &reader) : try type.read(&reader, "set")
                guard case .object(let values)? = value else { return [:] }
                // By their identifiers things are found; a track's clips have actions of their own.
                for key in part == .track ? ["id", "clips"] : ["id"] where isRequired && values[key] != nil {
                    throw .value(
                        path: reader.file, key: reader.key("set.\(key)"), expected: "no \"\(key)\": it is not set",
                        found: values[key]?.summary ?? "nothing")
                }
                return values
            },
            write: { if isRequired || !$0.isEmpty { $1["set"] = .object($0) } })
    }
}

extension VerbArgument where Value == StripName {
    /// A track, or in its place a stem, or a part that has a fader.
    static var strip: VerbArgument {
        strip([.track, .stem, .strip]) { reader throws(SessionError) in
            if let part = try reader.part() { return .part(part) }
            if let stem = try reader.string("stem") { return .stem(stem) }
            return .track(try reader.requiredString("track"))
        }
    }

    /// A track, a clip, a stem, a part that has a fader, or the master where none is named.
    static var anyStrip: VerbArgument {
        strip([.track, .clip, .stem, .strip]) { reader throws(SessionError) in
            if let part = try reader.part() { return .part(part) }
            if let track = try reader.string("track") { return .track(track) }
            if let clip = try reader.string("clip") { return .clip(clip) }
            if let stem = try reader.string("stem") { return .stem(stem) }
            return .master
        }
    }

    private enum Kind: String { case track, clip, stem, strip }

    private static func strip(
        _ kinds: [Kind],
        _ read: @escaping @Sendable (inout ObjectReader) throws(SessionError) -> StripName
    ) -> VerbArgument {
        let keys = kinds.map(\.rawValue)
        let isRequired = !kinds.contains(.clip)
        return VerbArgument(
            facts: keys.map { key in
                let value = key == Kind.strip.rawValue ? ObjectReader.partFacts : ValueType<String>.words.facts
                var facts = ArgumentFacts(key: key, value: value, isRequired: isRequired)
                facts.group = keys
                return facts
            },
            read: { reader throws(SessionError) in
                let named = keys.filter { reader.isPresent($0) }
                if named.count > 1 {
                    throw .unsupported(
                        path: reader.file, key: reader.key(named[1]),
                        what: "one strip is meant, not a \(named[0]) and a \(named[1])")
                }
                return try read(&reader)
            },
            write: { strip, values in
                switch strip {
                case .master: break
                case .track(let id): values["track"] = .string(id)
                case .clip(let id): values["clip"] = .string(id)
                case .stem(let id): values["stem"] = .string(id)
                case .part(let part): values["strip"] = .string(part.rawValue)
                }
            })
    }
}

extension ObjectReader {
    /// What the key `strip` may be of what has a fader of its own.
    fileprivate static var partFacts: ValueFacts {
        let words = PartStrip.faders.map(\.rawValue)
        var facts = ValueFacts(.text, expected: words.map { "\"\($0)\"" }.joined(separator: " or "))
        facts.words = words
        return facts
    }

    /// The part whose strip is meant, where one is.
    fileprivate mutating func part() throws(SessionError) -> PartStrip? {
        guard let word = try string("strip") else { return nil }
        guard let part = PartStrip.faders.first(where: { $0.rawValue == word }) else {
            throw error("strip", expected: ObjectReader.partFacts.expected)
        }
        return part
    }
}
