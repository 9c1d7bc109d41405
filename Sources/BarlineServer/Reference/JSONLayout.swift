import BarlineSession

/// JSON as people read it: what fits on a line is on one, and what a thing is comes before its parts.
enum JSONLayout {
    private static let width = 120
    /// The keys that come first, in this order; others follow in that of the alphabet.
    private static let first = [
        "openapi", "info", "paths", "components", "security", "title", "$ref", "name", "in", "operationId", "summary",
        "description", "type", "const", "enum", "required", "properties", "items", "anyOf",
    ]

    /// A whole document, which ends with a line break.
    static func text(_ value: JSONValue) -> String { layout(value, indent: 0, column: 0) + "\n" }

    // `column` is where the value begins on its line.
    private static func layout(_ value: JSONValue, indent: Int, column: Int) -> String {
        let short = line(value)
        if column + short.count < width { return short }
        let inner = String(repeating: " ", count: indent + 2)
        switch value {
        case .object(let values) where !values.isEmpty:
            let lines = sorted(values).map { key, value in
                let start = "\(inner)\(JSONValue.string(key).line): "
                return start + layout(value, indent: indent + 2, column: start.count)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + String(repeating: " ", count: indent) + "}"
        case .array(let values) where !values.isEmpty:
            let lines = values.map { inner + layout($0, indent: indent + 2, column: indent + 2) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + String(repeating: " ", count: indent) + "]"
        default: return short
        }
    }

    private static func line(_ value: JSONValue) -> String {
        switch value {
        case .object(let values):
            "{" + sorted(values).map { "\(JSONValue.string($0.0).line): \(line($0.1))" }.joined(separator: ", ") + "}"
        case .array(let values): "[" + values.map(line).joined(separator: ", ") + "]"
        default: value.line
        }
    }

    private static func sorted(_ values: [String: JSONValue]) -> [(String, JSONValue)] {
        func order(_ key: String) -> Int { first.firstIndex(of: key) ?? first.count }
        return values.sorted { (order($0.key), $0.key) < (order($1.key), $1.key) }.map { ($0.key, $0.value) }
    }
}
