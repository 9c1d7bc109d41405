extension SessionChange {
    /// The edits that scripts have, by their words.
    private static let verbs = Dictionary(
        DocumentEdit.verbs.filter(\.facts.isScripted).map { ($0.facts.word, $0) }, uniquingKeysWith: { $1 })

    /// A frame of the source is called so in scripts, where `frame` is that on which something is done.
    private static let sourceFrame = "sourceFrame"

    /// Reads a change; `nil` where the word is of none that scripts have.
    init?(_ word: String, _ reader: inout ObjectReader) throws(SessionError) {
        guard let verb = SessionChange.verbs[word] else { return nil }
        let asked = SessionChange.renamed(reader.values, from: SessionChange.sourceFrame, to: "frame")
        var edit = try ObjectReader(.object(asked), file: reader.file, path: reader.path)
        do throws(SessionError) {
            _ = try verb.read(&edit)
            let values = SessionChange.renamed(try verb.echo(&edit), from: "frame", to: SessionChange.sourceFrame)
            self.init(values: values)
        } catch {
            guard case .value(let path, reader.key("frame"), let expected, let found) = error else { throw error }
            let key = reader.key(SessionChange.sourceFrame)
            throw .value(path: path, key: key, expected: expected, found: found)
        }
    }

    private static func renamed(
        _ values: [String: JSONValue], from key: String, to other: String
    ) -> [String: JSONValue] {
        var values = values
        values[other] = values.removeValue(forKey: key)
        return values
    }

    /// The edit; errors call it `source`.
    package func edit(source: String) throws(SessionError) -> DocumentEdit {
        guard case .string(let word)? = values["do"], let verb = SessionChange.verbs[word] else {
            throw .value(path: source, key: "do", expected: "an edit that scripts have", found: "another one")
        }
        let asked = SessionChange.renamed(values, from: SessionChange.sourceFrame, to: "frame")
        return try verb.read(.object(asked), source: source)
    }
}

extension SessionPlayer {
    /// Loads what the session needs for a change of a script, and makes it there.
    func prepare(
        _ change: SessionChange, source: String, _ bound: inout BoundSession
    ) async throws(SessionError) -> PreparedEdit {
        let (edit, old) = (try change.edit(source: source), bound)
        let media = MediaFolders(path: bound.path, library: SessionLibrary.standard.folder)
        var context = EditContext(
            source: source, clips: old.clips, findMedia: { media },
            estimate: await listen(toLoop: edit.listensTo, among: old.clips), stemGrid: old.stemGrid)
        context.rhythm = await rhythm(ofClip: edit.asksForRhythmOf, among: old.clips)
        _ = try edit.apply(&bound.document, context)
        bound.document = try bound.document.reread(since: old.document, file: source)
        let clips = await prepareClips(old, bound)
        for (preparation, result) in clips {
            guard let handle = old.clips[preparation.document.id]?.handle else { continue }
            bound.bind(ClipBinding(preparation, try result.get(), handle: handle))
        }
        return PreparedEdit(
            document: bound.document, content: PreparedContent(clips: clips, clicks: nil, parts: []),
            change: { [context] document throws(SessionError) in _ = try edit.apply(&document, context) })
    }
}
