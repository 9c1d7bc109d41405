/// The list of parts that are folders of their own.
extension SessionParts {
    // Made of what conforms to SessionPart: parts.
    /// All of them.
    package static let all: [any SessionPart.Type] = [PadsPart.self]
    // End.

    func check(file: String) throws(SessionError) {
        for part in SessionParts.all { try check(part, file: file) }
    }

    private func check<Part: SessionPart>(_ part: Part.Type, file: String) throws(SessionError) {
        try self[part].check(file: file)
    }

    mutating func setFiles(_ path: (String) -> String) {
        for part in SessionParts.all { setFiles(of: part, path) }
    }

    private mutating func setFiles<Part: SessionPart>(of part: Part.Type, _ path: (String) -> String) {
        self[part].setFiles(path)
    }
}
