/// The edits of a session's settings.
enum SessionEdits {
    static let verbs: [Verb<DocumentEdit>] = [session, metronome, playlist]

    private static let session = Verb(
        "editSession",
        "Sets any keys of the session that are not changed by actions of their own, as its lists and `metronome` are; of "
            + "`inputs` the whole list, of `master` the keys that are missing stay as they are.",
        kind: .edit,
        set
    ) { changes in
        DocumentEdit(label(changes), mergeKey: "session \(keys(changes))") {
            document, context throws(SessionError) in
            guard case .object(var values) = document.json else { return [:] }
            let before = values["master"]
            values.merge(changes) { $1 }
            // A part of the master's keys leaves the others.
            if case .object(let whole) = before, case .object(let part) = changes["master"] {
                values["master"] = .object(whole.merging(part) { $1 })
            }
            document = try SessionDocument(.object(values), file: context.source)
            return [:]
        }
    }

    private static let metronome = Verb(
        "editMetronome", "Sets any keys of the session's `metronome`.", kind: .edit,
        .set(.metronome)
    ) { changes in
        DocumentEdit("Edit metronome", mergeKey: "metronome \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            var edited = try MetronomeDocument(context.merged(document.metronome.json, changes, key: "set"))
            if let file = edited.file, file != document.metronome.file {
                edited.file = try context.media.file(file, source: context.source, key: "set.file")
            }
            document.metronome = edited
            return [:]
        }
    }

    private static let playlist = Verb(
        "editPlaylist", "Sets any keys of the session's `playlistSettings`.", kind: .edit,
        .set(.playlistSettings)
    ) { changes in
        DocumentEdit("Edit playlist", mergeKey: "playlist \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            document.playlistSettings = try PlaylistSettings(
                context.merged(.object(document.playlistSettings.json), changes, key: "set"))
            return [:]
        }
    }

    /// The keys to be set, among them no list.
    private static let set: VerbArgument<[String: JSONValue]> = {
        let any = VerbArgument.set(.session)
        return VerbArgument(
            facts: any.facts,
            read: { reader throws(SessionError) in
                let changes = try any.read(&reader)
                if let key = changes.keys.first(where: { listKeys.contains($0) }) {
                    throw .unsupported(
                        path: reader.file, key: "set.\(key)", what: "is changed by actions of its own")
                }
                return changes
            }, write: any.write)
    }()

    /// The keys that are set, those within the master too.
    private static func keys(_ changes: [String: JSONValue]) -> [String] {
        guard case .object(let master) = changes["master"] else { return changes.keys.sorted() }
        return (Array(changes.keys) + master.keys.map { "master." + $0 }).sorted()
    }

    private static func label(_ changes: [String: JSONValue]) -> String {
        guard changes.count == 1, case .object(let master) = changes["master"] else { return "Edit session" }
        return master["gain"] == nil ? "Change limiter" : "Edit master"
    }

    private static let listKeys: Set<String> = Set(
        ["barline", "tracks", "scenes", "stems", "markers", "metronome", "playlist"]
            + SessionParts.all.flatMap { $0.keys }.map(\.facts).filter { $0.value.kind == .list }.map(\.key))
}
