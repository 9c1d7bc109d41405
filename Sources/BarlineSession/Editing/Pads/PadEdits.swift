/// The edits of pads.
enum PadEdits {
    static let verbs: [Verb<DocumentEdit>] = [add, edit, remove, move, editSet]

    private static let add = Verb(
        "addPad",
        "Adds a file that was uploaded or is in the session's folder, at the next free place from `slot` on, or, with "
            + "`replace`, in the place of what is there.",
        kind: .edit, .optional("slot", .whole(PadDocument.slotRange)), .id("file"), .set(.pad, isRequired: false),
        .standard("replace", .flag, false)
    ) { slot, file, changes, replaces in
        DocumentEdit("Add pad") { document, context throws(SessionError) in
            let path = try context.media.file(file, source: context.source, key: "file")
            let place = try document.place(ofNewPad: slot ?? 0, replaces: replaces && slot != nil, context)
            let bare = document.newPad(path, title: SessionDocument.title(of: file), slot: place)
            var pad = try PadDocument(context.merged(bare.json, changes, key: "set"))
            pad.file = try context.file(pad.file, over: path)
            if pad.slot != place {
                pad.slot = try document.place(ofNewPad: pad.slot, replaces: replaces, context)
            }
            document.pads.removeAll { $0.slot == pad.slot }
            document.pads.append(pad)
            return ["pad": .string(pad.id)]
        }
    }

    private static let edit = Verb(
        "editPad", "Sets any keys of a pad but its `id` and `slot`.", kind: .edit, .id("pad"), .set(.pad)
    ) { id, changes in
        let label = changes.count == 1 && changes["name"] != nil ? "Rename pad" : "Edit pad"
        return DocumentEdit(label, mergeKey: "pad \(id) \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            let index = try document.place(ofPad: id, context)
            let pad = document.pads[index]
            var edited = try PadDocument(context.merged(pad.json, changes, key: "set"))
            if edited.slot != pad.slot {
                throw context.error("set.slot", expected: "\"movePad\"", found: "\(edited.slot)")
            }
            edited.file = try context.file(edited.file, over: pad.file)
            document.pads[index] = edited
            return [:]
        }
    }

    private static let remove = Verb("removePad", "Takes a pad out.", kind: .edit, .id("pad")) { id in
        DocumentEdit("Remove pad") { document, context throws(SessionError) in
            document.pads.remove(at: try document.place(ofPad: id, context))
            return [:]
        }
    }

    private static let move = Verb(
        "movePad", "Moves a pad to a place; it changes places with a pad that is there.", kind: .edit, .id("pad"),
        .required("slot", .whole(PadDocument.slotRange))
    ) { id, slot in
        DocumentEdit("Move pad") { document, context throws(SessionError) in
            let index = try document.place(ofPad: id, context)
            let former = document.pads[index].slot
            if let other = document.pads.firstIndex(where: { $0.slot == slot }) { document.pads[other].slot = former }
            document.pads[index].slot = slot
            return [:]
        }
    }

    /// Brings files in as pads, from a place on.
    static let files = Form(
        when: ["to": "pads"], .files, .standard("slot", .whole(PadDocument.slotRange), 0),
        .standard("replace", .flag, false)
    ) { files, slot, replaces in
        DocumentEdit(
            files.count == 1 ? "Add pad" : "Add pads",
            imports: { ImportRequest(kind: .asTheyAre, paths: $0.paths(files)) },
            { document, context throws(SessionError) in
                var report = ImportReport()
                var slot = slot
                for file in files {
                    guard let path = report.take(file, context) else { continue }
                    let title = file.title ?? SessionDocument.title(of: path)
                    let pad = try document.importPad(path, title, from: slot, replaces: replaces, context)
                    slot = min(pad.slot + 1, PadDocument.slotRange.upperBound)
                    report.add(pad.id, to: "pads")
                }
                return try report.result()
            })
    }

    private static let editSet = Verb(
        "editPadSet", "Sets any keys of the session's `padSet`.", kind: .edit, .set(.padSet)
    ) { changes in
        DocumentEdit("Edit pads", mergeKey: "pad set \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            document.padSet = try PadSetDocument(
                context.merged(.object(document.padSet.json), changes, key: "set"))
            return [:]
        }
    }
}

extension SessionDocument {
    fileprivate func place(ofPad id: String, _ context: EditContext) throws(SessionError) -> Int {
        guard let index = pads.firstIndex(where: { $0.id == id }) else { throw context.unknown("pad", id) }
        return index
    }

    /// Where a pad is put: at a place, or at the next one that is free.
    fileprivate func place(ofNewPad slot: Int, replaces: Bool, _ context: EditContext) throws(SessionError) -> Int {
        guard let place = replaces ? slot : freePad(from: slot) else {
            throw .unsupported(
                path: context.source, key: "slot", what: "there is room for \(PadDocument.slotRange.count) pads")
        }
        return place
    }

    /// Makes a file a pad, at a place or the next one that is free; what it replaces is gone.
    fileprivate mutating func importPad(
        _ file: String, _ title: String, from slot: Int, replaces: Bool, _ context: EditContext
    ) throws(SessionError) -> PadDocument {
        let place = try place(ofNewPad: slot, replaces: replaces, context)
        let pad = newPad(file, title: title, slot: place)
        pads.removeAll { $0.slot == place }
        pads.append(pad)
        return pad
    }
}
