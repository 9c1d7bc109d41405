import BarlineEngine

/// The edits of the effects of strips.
enum EffectEdits {
    static let verbs: [Verb<DocumentEdit>] = [add, edit, remove, move]

    private static let add = Verb(
        "addEffect", "Adds an effect to a strip, behind those that are there where `index` is missing.", kind: .edit,
        .effectStrip, .required("type", ValueType<EffectKind>.word), .optional("index", .row),
        .set(.effect, isRequired: false)
    ) { strip, kind, index, changes in
        DocumentEdit("Add effect") { document, context throws(SessionError) in
            try document.check(strip, context)
            var effects = document[effects: strip]
            let id = SessionDocument.identifier(for: kind.rawValue, taken: Set(effects.map(\.id)))
            let bare = EffectDocument(id: id, type: kind.rawValue)
            let effect = try EffectDocument(context.merged(bare.json, changes, key: "set"))
            effects.insert(effect, at: min(index ?? effects.count, effects.count))
            document[effects: strip] = effects
            return ["effect": .string(id)]
        }
    }

    private static let edit = Verb(
        "editEffect", "Sets any keys of an effect but its `id`.", kind: .edit, .effectStrip, .id("effect"),
        .set(.effect)
    ) { strip, id, changes in
        DocumentEdit("Edit effect", mergeKey: "effect \(strip) \(id) \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            let index = try document.place(ofEffect: id, on: strip, context)
            let json = document[effects: strip][index].json
            document[effects: strip][index] = try EffectDocument(context.merged(json, changes, key: "set"))
            return [:]
        }
    }

    private static let remove = Verb(
        "removeEffect", "Takes an effect out.", kind: .edit, .effectStrip, .id("effect")
    ) { strip, id in
        DocumentEdit("Remove effect") { document, context throws(SessionError) in
            let index = try document.place(ofEffect: id, on: strip, context)
            document[effects: strip].remove(at: index)
            return [:]
        }
    }

    private static let move = Verb(
        "moveEffect", "Moves an effect to a place among those of its strip.", kind: .edit, .effectStrip, .id("effect"),
        .required("index", .row)
    ) { strip, id, target in
        DocumentEdit("Move effect") { document, context throws(SessionError) in
            let index = try document.place(ofEffect: id, on: strip, context)
            document[effects: strip].moveElement(from: index, to: target)
            return [:]
        }
    }
}

extension SessionDocument {
    /// Refuses a strip that is not there.
    fileprivate func check(_ strip: EffectStrip, _ context: EditContext) throws(SessionError) {
        switch strip {
        case .master, .part: break
        case .track(let id): _ = try place(ofTrack: id, context)
        case .stem(let id): if !stems.contains(where: { $0.id == id }) { throw context.unknown("stem", id) }
        }
    }

    fileprivate func place(
        ofEffect id: String, on strip: EffectStrip, _ context: EditContext
    ) throws(SessionError) -> Int {
        try check(strip, context)
        guard let index = self[effects: strip].firstIndex(where: { $0.id == id }) else {
            throw context.unknown("effect", id)
        }
        return index
    }
}
