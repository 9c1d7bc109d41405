/// A key of a part of the document: one declaration with which it is read, written, refused and described.
package struct DocumentKey<Root: Sendable>: Sendable {
    let facts: ArgumentFacts
    let read: @Sendable (inout ObjectReader, inout Root) throws(SessionError) -> Void
    let write: @Sendable (Root, inout [String: JSONValue]) -> Void
    /// Takes what it is from another root.
    let take: @Sendable (inout Root, Root) -> Void
    /// Whether what it may be, or is where it is missing, depends on keys that are read before.
    var isDependent = false
}

/// A part of the document, which keeps the keys that this version does not know.
protocol KeyedDocument: Sendable {
    /// One in which every key has its default.
    static var standard: Self { get }
    /// Its keys, in the order in which they are read.
    static var keys: [DocumentKey<Self>] { get }
    /// Keys that this version does not know.
    var rest: [String: JSONValue] { get set }

    /// Refuses what its keys are together, after each was read.
    func check(_ reader: ObjectReader) throws(SessionError)
}

extension KeyedDocument {
    func check(_ reader: ObjectReader) throws(SessionError) {}

    init(_ source: ObjectReader) throws(SessionError) {
        self = Self.standard
        try read(source)
    }

    /// Reads every key; what is missing stays as it is.
    mutating func read(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        for key in Self.keys { try key.read(&reader, &self) }
        rest = reader.rest
        try check(reader)
    }

    /// The same with some keys set, `null` being what `standard` has: what reading gives of what writing it with them
    /// gives, in the time that those keys take.
    ///
    /// - Parameters:
    ///   - changes: the keys with their values; those that this version does not know are kept.
    ///   - standard: what keys are that are missing.
    ///   - file: what errors call the file.
    ///   - path: what they call the place in it.
    /// - Returns: it with the keys set.
    /// - Throws: ``SessionError``, which names the key that is wrong.
    func setting(
        _ changes: [String: JSONValue], standard: Self = .standard, file: String, path: String
    ) throws(SessionError) -> Self {
        var values = changes
        let touched = Self.keys.filter { $0.isDependent || changes[$0.facts.key] != nil }
        for key in touched where changes[key.facts.key] == nil { key.write(self, &values) }
        var reader = try ObjectReader(.object(values), file: file, path: path)
        var edited = self
        for key in touched {
            key.take(&edited, standard)
            try key.read(&reader, &edited)
        }
        edited.rest.merge(reader.rest) { $1 }
        try edited.check(reader)
        return edited
    }

    /// Its keys with their values.
    var values: [String: JSONValue] {
        var values = rest
        for key in Self.keys { key.write(self, &values) }
        return values
    }
}

/// The treatment of a key that has its default when a part of the document is written.
enum StandardWriting: Sendable {
    /// It is written too.
    case written
    /// It is `null`.
    case null
    /// It is left out.
    case missing
}

extension DocumentKey where Root: KeyedDocument {
    typealias Path<Value> = WritableKeyPath<Root, Value> & Sendable

    private static func taking<Value>(_ path: Path<Value>) -> @Sendable (inout Root, Root) -> Void {
        { $0[keyPath: path] = $1[keyPath: path] }
    }

    /// A key that must be there.
    static func required<Value>(
        _ key: String, _ path: Path<Value>, _ type: ValueType<Value>, _ summary: String = ""
    ) -> DocumentKey {
        DocumentKey(
            facts: ArgumentFacts(key: key, value: type.facts, summary: summary, isRequired: true),
            read: { reader, root throws(SessionError) in root[keyPath: path] = try type.required(key, &reader) },
            write: { $1[key] = type.write($0[keyPath: path]) }, take: taking(path))
    }

    /// A key that has a value where it is missing: that of the root's standard, or what `otherwise` makes of what was
    /// read before, which `words` say.
    static func standard<Value: Equatable>(
        _ key: String, _ path: Path<Value>, _ type: ValueType<Value>, _ summary: String = "",
        otherwise: (@Sendable (Root) -> Value)? = nil, words: String = "", as writing: StandardWriting = .written
    ) -> DocumentKey {
        let standard = Root.standard[keyPath: path]
        var facts = ArgumentFacts(key: key, value: type.facts, summary: summary)
        facts.standardWords = words
        if words.isEmpty { facts.standard = writing == .null ? .null : type.write(standard) }
        return DocumentKey(
            facts: facts,
            read: { reader, root throws(SessionError) in
                if let value = try type.read(&reader, key) {
                    root[keyPath: path] = value
                } else if let otherwise {
                    root[keyPath: path] = otherwise(root)
                }
            },
            write: { root, values in
                let value = root[keyPath: path]
                switch writing {
                case .null where value == standard: values[key] = .null
                case .missing where value == standard: break
                default: values[key] = type.write(value)
                }
            }, take: taking(path), isDependent: otherwise != nil)
    }

    /// A key that may be missing, or `null`.
    ///
    /// `given` is what it may be where that depends on keys that were read before.
    static func optional<Value>(
        _ key: String, _ path: Path<Value?>, _ type: ValueType<Value>, _ summary: String = "",
        as writing: StandardWriting = .null, given: (@Sendable (Root) -> ValueType<Value>)? = nil
    ) -> DocumentKey {
        var facts = ArgumentFacts(key: key, value: type.facts, summary: summary)
        facts.standard = .null
        return DocumentKey(
            facts: facts,
            read: { reader, root throws(SessionError) in
                root[keyPath: path] = try (given?(root) ?? type).read(&reader, key)
            },
            write: { root, values in
                if let value = root[keyPath: path] {
                    values[key] = type.write(value)
                } else if writing != .missing {
                    values[key] = .null
                }
            }, take: taking(path), isDependent: given != nil)
    }

    /// A part of the document that has keys of its own.
    static func part<Value: KeyedDocument>(
        _ key: String, _ path: Path<Value>, _ part: DocumentPart, as writing: StandardWriting = .written
    ) -> DocumentKey {
        var value = ValueFacts(.object, expected: "an object")
        value.part = part
        return DocumentKey(
            facts: ArgumentFacts(key: key, value: value, summary: part.words, standard: .object([:])),
            read: { reader, root throws(SessionError) in root[keyPath: path] = try Value(try reader.object(key)) },
            write: { root, values in
                let part = root[keyPath: path].values
                if writing != .missing || !part.isEmpty { values[key] = .object(part) }
            }, take: taking(path))
    }

    /// A list of parts of the document.
    static func list<Value: KeyedDocument>(
        _ key: String, _ path: Path<[Value]>, _ part: DocumentPart, as writing: StandardWriting = .written,
        adapt: (@Sendable (inout Value, Int) -> Void)? = nil
    ) -> DocumentKey {
        var value = ValueFacts(.list, expected: "a list")
        value.part = part
        return DocumentKey(
            facts: ArgumentFacts(key: key, value: value, summary: "each with \(part.words)", standard: .array([])),
            read: { reader, root throws(SessionError) in
                var list: [Value] = []
                for (index, source) in try reader.objects(key).enumerated() {
                    var value = Value.standard
                    adapt?(&value, index)
                    try value.read(source)
                    list.append(value)
                }
                root[keyPath: path] = list
            },
            write: { root, values in
                let list = root[keyPath: path]
                if writing != .missing || !list.isEmpty { values[key] = .array(list.map { .object($0.values) }) }
            }, take: taking(path))
    }

    /// An object whose keys are properties of the root.
    static func group(
        _ key: String, _ part: DocumentPart, rest: Path<[String: JSONValue]>, _ keys: [DocumentKey<Root>]
    ) -> DocumentKey {
        var value = ValueFacts(.object, expected: "an object")
        value.part = part
        return DocumentKey(
            facts: ArgumentFacts(key: key, value: value, summary: part.words, standard: .object([:])),
            read: { reader, root throws(SessionError) in
                var group = try reader.object(key)
                for key in keys { try key.read(&group, &root) }
                root[keyPath: rest] = group.rest
            },
            write: { root, values in
                var group = root[keyPath: rest]
                for key in keys { key.write(root, &group) }
                values[key] = .object(group)
            },
            take: { root, other in
                for key in keys { key.take(&root, other) }
                root[keyPath: rest] = other[keyPath: rest]
            }, isDependent: keys.contains(where: \.isDependent))
    }
}
