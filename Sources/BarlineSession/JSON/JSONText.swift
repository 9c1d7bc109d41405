import Foundation

/// JSON as text.
package enum JSONText {
    /// One line, its keys in alphabetical order.
    package static func line(_ value: JSONValue) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return text(value, encoder)
    }

    /// Many lines, indented, ending with a line break.
    package static func document(_ value: JSONValue) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        return text(value, encoder) + "\n"
    }

    // Encoding fails for numbers that are not finite only, and those become null before.
    private static func text(_ value: JSONValue, _ encoder: JSONEncoder) -> String {
        guard let data = try? encoder.encode(value.finite) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }

    /// How deep lists and objects may lie in one another. Nothing that is written here is half as deep, and Foundation's decoder takes
    /// the square of the depth for each of them: half a minute for a message of 64 KB.
    package static let deepestNesting = 32

    /// Reads one value; a failure where the text is no JSON, or is nested too deep.
    static func parse(_ data: Data) -> Result<JSONValue, any Error> {
        Result {
            try checkNesting(data)
            return try JSONDecoder().decode(JSONValue.self, from: data)
        }
    }

    private static func checkNesting(_ data: Data) throws {
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in data {
            if isText {
                if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            if depth > deepestNesting { throw DecodingError.dataCorrupted(tooDeep) }
        }
    }

    private static var tooDeep: DecodingError.Context {
        let reason = "lists and objects are nested more than \(deepestNesting) deep"
        let error = NSError(domain: "barline", code: 0, userInfo: ["NSDebugDescription": reason])
        return DecodingError.Context(codingPath: [], debugDescription: reason, underlyingError: error)
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
