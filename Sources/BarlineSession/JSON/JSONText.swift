import Foundation

/// JSON as text.
package enum JSONText {
    /// One line, its keys in alphabetical order.
    static func line(_ value: JSONValue) -> String { JSONWriter.line(value) }

    /// Many lines, indented, ending with a line break.
    package static func document(_ value: JSONValue) -> String { JSONWriter.document(value) }

    /// How deep lists and objects may lie in one another.
    static var deepestNesting: Int { JSONReader.deepestNesting }

    /// Reads one value; a failure where the text is no JSON, or is nested too deep.
    static func parse(_ data: Data) -> Result<JSONValue, JSONSyntaxError> {
        data.withUnsafeBytes { bytes in
            Result { () throws(JSONSyntaxError) in try JSONReader.value(of: bytes) }
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
    /// - Throws: an error if it is not valid JSON.
    /// - Complexity: O(*n*) in the bytes.
    public init(parsing text: Data) throws { self = try JSONText.parse(text).get() }

    /// Reads JSON text.
    ///
    /// - Throws: an error if it is not valid JSON.
    /// - Complexity: O(*n*) in the characters.
    public init(parsing text: String) throws { try self.init(parsing: Data(text.utf8)) }
}
