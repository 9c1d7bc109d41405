/// Reads the keys of a JSON object one by one. Errors name the file, the path of the key and what was expected.
package struct ObjectReader {
    let values: [String: JSONValue]
    /// The file that the object is from.
    let file: String
    /// The path of the object within the file; empty for the file's own.
    let path: String
    private var read: Set<String> = []

    init(_ value: JSONValue, file: String, path: String) throws(SessionError) {
        guard case .object(let values) = value else {
            throw .value(
                path: file, key: path.isEmpty ? "(top level)" : path, expected: "an object", found: value.summary)
        }
        self.values = values
        self.file = file
        self.path = path
    }

    /// What no reading call has asked for.
    var rest: [String: JSONValue] { values.filter { !read.contains($0.key) } }

    /// The path of one of the object's keys.
    func key(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func error(_ name: String, expected: String) -> SessionError {
        .value(path: file, key: key(name), expected: expected, found: values[name]?.summary ?? "nothing")
    }

    /// The same of entry `index` of a list.
    func error(_ name: String, at index: Int, expected: String) -> SessionError {
        var found = "nothing"
        if case .array(let entries)? = values[name], entries.indices.contains(index) { found = entries[index].summary }
        return .value(path: file, key: key("\(name)[\(index)]"), expected: expected, found: found)
    }

    /// Refuses the time of an action that is done at once.
    func refuseTimes() throws(SessionError) {
        for name in ["at", "frame", "beat", "bar"] where !read.contains(name) && isPresent(name) {
            throw error(name, expected: "no time: this is done at once")
        }
    }

    /// Whether a reading call has asked for a key.
    func hasRead(_ name: String) -> Bool { read.contains(name) }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// Whether a key has a value that says something: `null` does where it has a meaning.
    func isPresent(_ name: String, _ type: ValueFacts? = nil) -> Bool {
        switch values[name] {
        case nil: false
        case .null: type?.null != nil
        default: true
        }
    }

    mutating func value(_ name: String) -> JSONValue? {
        read.insert(name)
        return values[name]
    }

    mutating func string(_ name: String) throws(SessionError) -> String? {
        switch value(name) {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw error(name, expected: "a text")
        }
    }

    mutating func requiredString(_ name: String) throws(SessionError) -> String {
        guard let text = try string(name), !text.isEmpty else { throw error(name, expected: "a text") }
        return text
    }

    /// The objects of a list.
    mutating func objects(_ name: String) throws(SessionError) -> [ObjectReader] {
        switch value(name) {
        case nil, .null: return []
        case .array(let values):
            var readers: [ObjectReader] = []
            for (index, value) in values.enumerated() {
                readers.append(try ObjectReader(value, file: file, path: "\(key(name))[\(index)]"))
            }
            return readers
        default: throw error(name, expected: "a list")
        }
    }

    /// An object within this one; an empty one where there is none.
    mutating func object(_ name: String) throws(SessionError) -> ObjectReader {
        let value = value(name) ?? .object([:])
        return try ObjectReader(value == .null ? .object([:]) : value, file: file, path: key(name))
    }
}
