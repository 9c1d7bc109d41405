extension DocumentEdit {
    static func ofSession(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit? {
        switch word {
        case "editSession":
            let changes = try reader.changes()
            if let key = changes.keys.first(where: { listKeys.contains($0) }) {
                throw reader.error("set.\(key)", expected: "an action of its own")
            }
            return DocumentEdit("Edit session", mergeKey: "session \(changes.keys.sorted())") {
                document, context throws(SessionError) in
                guard case .object(var values) = document.json else { return [:] }
                values.merge(changes) { $1 }
                document = try SessionDocument(.object(values), file: context.source)
                return [:]
            }
        case "editMetronome":
            let changes = try reader.changes()
            return DocumentEdit("Edit metronome", mergeKey: "metronome \(changes.keys.sorted())") {
                document, context throws(SessionError) in
                var edited = try MetronomeDocument(context.merged(document.metronome.json, changes, key: "set"))
                if let file = edited.file, file != document.metronome.file {
                    edited.file = try context.media.file(file, source: context.source, key: "set.file")
                }
                document.metronome = edited
                return [:]
            }
        default: return nil
        }
    }

    private static let listKeys: Set<String> = [
        "barline", "tracks", "scenes", "stems", "markers", "metronome", "playlist",
    ]
}
