import Foundation

extension SessionDocument {
    /// Writes the session to `path`. The file is replaced atomically.
    ///
    /// - Throws: ``SessionError`` where it can't be written, and where it could not be read again; then the file stays.
    /// - Complexity: O(*n*) in the clips, stems, pads and items.
    public func write(to path: String) throws(SessionError) {
        try checkValues(file: path)
        try DurableFile.write(text, to: path)
    }

    /// The session as JSON, with its unknown keys.
    public var json: JSONValue {
        var values = values
        values["barline"] = .number(Double(SessionDocument.formatVersion))
        return .object(values)
    }

    /// The session as the text of a file: that of ``json``, in which items become JSON one by one, for they may be
    /// many.
    var text: [UInt8] {
        var rest = self
        rest.items = SharedList()
        guard case .object(let values) = rest.json else { return [] }
        return JSONWriter.document { writer in
            writer.add(object: Array(values.keys)) { writer, key in
                if key == "playlist" {
                    writer.add(list: items) { $0.add($1.json) }
                } else {
                    writer.add(values[key] ?? .null)
                }
            }
        }
    }
}
