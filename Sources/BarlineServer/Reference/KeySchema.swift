import BarlineSession

/// The document's keys in JSON Schema.
enum KeySchema {
    /// The schemas of the session and its parts: `Keys.clip` for keys of a clip, `Session.clip` for a whole one.
    static var schemas: [String: JSONValue] {
        var schemas: [String: JSONValue] = [:]
        for part in DocumentPart.allCases {
            var properties = Dictionary(
                part.keys.map { ($0.key, VerbSchema.schema($0)) }, uniquingKeysWith: { first, _ in first })
            if part == .session {
                properties["barline"] = ["const": .number(Double(SessionDocument.formatVersion))]
                properties["midi"] = ["$ref": .string(whole(.midi))]
            }
            let required = (part == .session ? ["barline"] : []) + part.keys.filter(\.isRequired).map(\.key)
            schemas[name("Keys", part)] = ["type": "object", "properties": .object(properties)]
            var whole: [String: JSONValue] = ["allOf": [["$ref": .string(keys(part))]]]
            if !required.isEmpty { whole["required"] = .array(required.map(JSONValue.string)) }
            schemas[name("Session", part)] = .object(whole)
        }
        return schemas
    }

    /// Where the keys of a part are described.
    static func keys(_ part: DocumentPart) -> String { "#/components/schemas/\(name("Keys", part))" }

    /// Where a whole part is described.
    static func whole(_ part: DocumentPart) -> String { "#/components/schemas/\(name("Session", part))" }

    private static func name(_ kind: String, _ part: DocumentPart) -> String {
        part == .session ? kind : "\(kind).\(part.rawValue)"
    }
}
