extension DocumentEdit {
    static func ofScenes(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit? {
        switch word {
        case "addScene":
            let name = try reader.string("name")
            let index = try reader.integer("index", atLeast: 0)
            return DocumentEdit("Add scene") { document, _ throws(SessionError) in
                let row = min(index ?? document.rowCount, document.rowCount)
                document.insertRow(row, SceneDocument(name: name ?? "Scene \(document.rowCount + 1)"))
                return ["scene": .number(Double(row))]
            }
        case "editScene":
            let row = try reader.requiredInteger("scene", atLeast: 0)
            let changes = try reader.changes()
            return DocumentEdit("Edit scene", mergeKey: "scene \(row) \(changes.keys.sorted())") {
                document, context throws(SessionError) in
                try document.requireRow(row, context)
                document.scenes[row] = try SceneDocument(
                    context.merged(document.scenes[row].json, changes, key: "set"))
                return [:]
            }
        case "removeScene":
            let row = try reader.requiredInteger("scene", atLeast: 0)
            return DocumentEdit("Remove scene") { document, context throws(SessionError) in
                try document.requireRow(row, context)
                document.scenes.remove(at: row)
                document.moveRows { $0 == row ? nil : $0 > row ? $0 - 1 : $0 }
                return [:]
            }
        case "moveScene":
            let row = try reader.requiredInteger("scene", atLeast: 0)
            let index = try reader.requiredInteger("index", atLeast: 0)
            return DocumentEdit("Move scene") { document, context throws(SessionError) in
                try document.requireRow(row, context)
                document.fillScenes()
                let target = min(index, document.scenes.count - 1)
                document.scenes.moveElement(from: row, to: target)
                var order = Array(0..<document.scenes.count)
                order.moveElement(from: row, to: target)
                document.moveRows { order.firstIndex(of: $0) ?? $0 }
                return [:]
            }
        case "duplicateScene":
            let row = try reader.requiredInteger("scene", atLeast: 0)
            return DocumentEdit("Duplicate scene") { document, context throws(SessionError) in
                try document.requireRow(row, context)
                document.insertRow(row + 1, document.scenes[row])
                for track in document.tracks.indices {
                    guard var clip = document.tracks[track].clips.first(where: { $0.slot == row }) else { continue }
                    clip.id = SessionDocument.identifier(for: clip.name, taken: document.clipIdentifiers)
                    clip.slot = row + 1
                    document.tracks[track].clips.append(clip)
                }
                return ["scene": .number(Double(row + 1))]
            }
        default: return nil
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

    fileprivate mutating func insertRow(_ row: Int, _ scene: SceneDocument) {
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
