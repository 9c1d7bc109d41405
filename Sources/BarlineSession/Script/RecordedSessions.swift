/// Writes the lines of a recording, of whose sessions there is an end to how often they are written whole.
///
/// Each edit makes another session. Up to ``wholeBytes`` they are in the lines as they are, which every program can
/// read. Beyond that a line has what the edit has changed in the session of the line before: else a long evening with a
/// large set would be a script too long to be read.
struct RecordedSessionWriter {
    /// The session that was written last.
    private var before: SessionDocument?
    /// Bytes of lines with whole sessions, and how many of them are written at least.
    private var bytes = 0
    private let limit: Int

    /// The bytes of sessions that are written whole: some 250 of a set of 60 clips.
    static let wholeBytes = 4 << 20

    /// Creates a writer that writes sessions whole up to `limit` bytes, and the first one in any case.
    init(wholeUpTo limit: Int = RecordedSessionWriter.wholeBytes) { self.limit = limit }

    /// The line that a recording begins with.
    mutating func line(_ beginning: ScriptBeginning) -> String {
        before = beginning.session
        return JSONText.line(beginning.json)
    }

    /// The line of an entry, with other keys that its file needs.
    mutating func line(_ entry: ScriptEntry, adding others: [String: JSONValue] = [:]) -> String {
        let values = values(of: entry).merging(others) { $1 }
        let line = JSONText.line(.object(values))
        if values[RecordedSessionReader.sessionKey] != nil { bytes += line.utf8.count }
        return line
    }

    private mutating func values(of entry: ScriptEntry) -> [String: JSONValue] {
        guard case .session(let session, let kept) = entry.action else { return entry.json }
        defer { before = session }
        guard let before, bytes > limit else { return entry.json }
        var entry = entry
        // A large one is not to be written only to be left out.
        entry.action = .session(SessionDocument(), kept: kept)
        var values = entry.json
        values[RecordedSessionReader.sessionKey] = nil
        values[RecordedSessionReader.changeKey] = DocumentChange.json(from: before, to: session) ?? [:]
        return values
    }
}

/// Makes lines with whole sessions of those that a ``RecordedSessionWriter`` has written.
struct RecordedSessionReader {
    /// The session of the line before, if there is one.
    private var before: [String: JSONValue]?

    static let sessionKey = "session"
    static let changeKey = "change"
    /// The words of the lines that have a session.
    private static let words: Set<JSONValue> = [
        .string(ScriptBeginning.word), .string(ScriptAction.edit.facts.word),
    ]

    /// The line, where it has a session with all of it; `nil` where that can't be made of the one before.
    mutating func whole(_ line: JSONValue) -> JSONValue? {
        guard case .object(var values) = line, let word = values["do"], RecordedSessionReader.words.contains(word)
        else { return line }
        if case .object(let session)? = values[RecordedSessionReader.sessionKey] {
            before = session
        } else if let change = values.removeValue(forKey: RecordedSessionReader.changeKey) {
            guard var session = before, DocumentChange.apply(change, to: &session) else { return nil }
            before = session
            values[RecordedSessionReader.sessionKey] = .object(session)
        }
        return .object(values)
    }
}
