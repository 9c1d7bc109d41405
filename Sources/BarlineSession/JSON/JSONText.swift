import Foundation

/// JSON as text.
package enum JSONText {
    /// One line, its keys in alphabetical order.
    package static func line(_ value: JSONValue) -> String { JSONWriter.line(value) }

    /// Many lines, indented, ending with a line break.
    package static func document(_ value: JSONValue) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // Encoding fails for numbers that are not finite only, and those become null before.
        guard let data = try? encoder.encode(value.finite) else { return "null\n" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    /// How deep lists and objects may lie in one another.
    package static var deepestNesting: Int { JSONReader.deepestNesting }

    /// Reads one value; a failure where the text is no JSON, or is nested too deep.
    static func parse(_ data: Data) -> Result<JSONValue, JSONFlaw> {
        data.withUnsafeBytes { bytes in
            Result { () throws(JSONFlaw) in try JSONReader.value(of: bytes) }
        }
    }
}

extension JSONValue {
    fileprivate var finite: JSONValue {
        switch self {
        case .number(let value): value.isFinite ? self : .null
        case .array(let values): .array(values.map(\.finite))
        case .object(let values): .object(values.mapValues(\.finite))
        case .null, .bool, .integer, .string: self
        }
    }
}

extension JSONValue {
    /// The value as one line of JSON, its keys in alphabetical order.
    public var line: String { JSONText.line(self) }
}

extension JSONValue {
    /// Reads JSON text.
    ///
    /// - Throws: where it is none.
    public init(parsing text: Data) throws { self = try JSONText.parse(text).get() }

    /// Reads JSON text.
    ///
    /// - Throws: where it is none.
    public init(parsing text: String) throws { try self.init(parsing: Data(text.utf8)) }
}
