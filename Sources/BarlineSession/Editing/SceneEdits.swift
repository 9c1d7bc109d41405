/// The edits of rows; their clips go with them.
enum SceneEdits {
    static let verbs: [Verb<DocumentEdit>] = [add, edit, remove, move, duplicate]

    private static let add = Verb(
        "addScene", "Adds a row, at the bottom where `index` is missing. Scenes are counted from 0.", kind: .edit,
        .optional("name", .text), .optional("index", .row)
    ) { name, index in
        DocumentEdit("Add scene", movesRows: true) { document, context throws(SessionError) in
            let row = min(index ?? document.rowCount, document.rowCount)
            try document.insertRow(row, SceneDocument(name: name ?? "Scene \(document.rowCount + 1)"), context)
            return ["scene": .number(Double(row))]
        }
    }

    private static let edit = Verb(
        "editScene", "Sets any keys of a scene.", kind: .edit, .required("scene", .row),
        .set(.scene)
    ) { row, changes in
        DocumentEdit("Edit scene", mergeKey: "scene \(row) \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            try document.requireRow(row, context)
            document.scenes[row] = try SceneDocument(context.merged(document.scenes[row].json, changes, key: "set"))
            return [:]
        }
    }

    private static let remove = Verb(
        "removeScene", "Takes a row out, with its clips.", kind: .edit, .required("scene", .row)
    ) { row in
        DocumentEdit("Remove scene", movesRows: true) { document, context throws(SessionError) in
            try document.requireRow(row, context)
            try context.requireUnrecorded(rows: row...)
            document.scenes.remove(at: row)
            document.moveRows { $0 == row ? nil : $0 > row ? $0 - 1 : $0 }
            return [:]
        }
    }

    private static let move = Verb(
        "moveScene", "Moves a row, with its clips.", kind: .edit, .required("scene", .row), .required("index", .row)
    ) { row, index in
        DocumentEdit("Move scene", movesRows: true) { document, context throws(SessionError) in
            try document.requireRow(row, context)
            document.fillScenes()
            let target = min(index, document.scenes.count - 1)
            if row != target { try context.requireUnrecorded(rows: min(row, target)...max(row, target)) }
            document.scenes.moveElement(from: row, to: target)
            var order = Array(0..<document.scenes.count)
            order.moveElement(from: row, to: target)
            document.moveRows { order.firstIndex(of: $0) ?? $0 }
            return [:]
        }
    }

    private static let duplicate = Verb(
        "duplicateScene", "Copies a row, with its clips, to the one below.", kind: .edit, .required("scene", .row)
    ) { row in
        DocumentEdit("Duplicate scene", movesRows: true) { document, context throws(SessionError) in
            try document.requireRow(row, context)
            try document.insertRow(row + 1, document.scenes[row], context)
            for track in document.tracks.indices {
                guard var clip = document.tracks[track].clips.first(where: { $0.slot == row }) else { continue }
                clip.id = SessionDocument.identifier(for: clip.name, taken: document.clipIdentifiers)
                clip.slot = row + 1
                document.tracks[track].clips.append(clip)
            }
            return ["scene": .number(Double(row + 1))]
        }
    }
}

extension SessionDocument {
    /// Gives every row a scene, so that rows can be counted by it.
    fileprivate mutating func fillScenes() {
        while scenes.count < rowCount { scenes.append(SceneDocument(name: "")) }
    }

    fileprivate mutating func requireRow(_ row: Int, _ context: EditContext) throws(SessionError) {
        guard row < rowCount else { throw context.unknown("scene", "\(row)") }
        fillScenes()
    }

    fileprivate mutating func insertRow(
        _ row: Int, _ scene: SceneDocument, _ context: EditContext
    ) throws(SessionError) {
        guard rowCount < NumberBounds.row.count else {
            throw .unsupported(
                path: context.source, key: "scenes", what: "there is room for \(NumberBounds.row.count) rows")
        }
        // Below all there is, nothing moves.
        if row < rowCount { try context.requireUnrecorded(rows: row...) }
        fillScenes()
        scenes.insert(scene, at: row)
        moveRows { $0 >= row ? $0 + 1 : $0 }
    }

    /// Gives clips other rows; those that get none go.
    fileprivate mutating func moveRows(_ row: (Int) -> Int?) {
        for track in tracks.indices {
            tracks[track].clips = tracks[track].clips.compactMap { clip in
                guard let slot = row(clip.slot) else { return nil }
                var clip = clip
                clip.slot = slot
                return clip
            }
        }
    }
}
