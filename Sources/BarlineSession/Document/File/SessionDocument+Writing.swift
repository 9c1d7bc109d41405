import Foundation

extension SessionDocument {
    /// Writes the session to `path`. The file is replaced atomically.
    ///
    /// - Complexity: O(*n*) in the clips, stems, pads and items.
    public func write(to path: String) throws(SessionError) {
        try DurableFile.write(JSONText.document(json).utf8, to: path)
    }

    /// The session as JSON, with its unknown keys.
    public var json: JSONValue {
        var values = values
        values["barline"] = .number(Double(SessionDocument.formatVersion))
        return .object(values)
    }
}
