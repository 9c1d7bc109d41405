extension DocumentEdit {
    static func ofStems(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit? {
        switch word {
        case "addStem":
            let file = try reader.requiredString("file")
            let changes = try reader.changes(isRequired: false)
            return DocumentEdit("Add stem") { document, context throws(SessionError) in
                let path = try context.media.file(file, source: context.source, key: "file")
                let bare = document.newStem(path, title: SessionDocument.title(of: file))
                document.stems.append(try StemDocument(context.merged(bare.json, changes, key: "set")))
                return ["stem": .string(bare.id)]
            }
        case "editStem":
            let id = try reader.requiredString("stem")
            let changes = try reader.changes()
            return DocumentEdit("Edit stem", mergeKey: "stem \(id) \(changes.keys.sorted())") {
                document, context throws(SessionError) in
                let index = try document.place(ofStem: id, context)
                let stem = document.stems[index]
                var edited = try StemDocument(context.merged(stem.json, changes, key: "set"))
                if edited.file != stem.file {
                    edited.file = try context.media.file(edited.file, source: context.source, key: "set.file")
                }
                document.stems[index] = edited
                return [:]
            }
        case "removeStem":
            let id = try reader.requiredString("stem")
            return DocumentEdit("Remove stem") { document, context throws(SessionError) in
                document.stems.remove(at: try document.place(ofStem: id, context))
                return [:]
            }
        case "editStemSet":
            let changes = try reader.changes()
            return DocumentEdit("Edit stems", mergeKey: "stem set \(changes.keys.sorted())") {
                document, context throws(SessionError) in
                document.stemSet = try StemSetDocument(
                    context.merged(.object(document.stemSet.json), changes, key: "set"))
                return [:]
            }
        case "moveStem":
            let id = try reader.requiredString("stem")
            let target = try reader.requiredInteger("index", atLeast: 0)
            return DocumentEdit("Move stem") { document, context throws(SessionError) in
                document.stems.moveElement(from: try document.place(ofStem: id, context), to: target)
                return [:]
            }
        default: return try ofMarkers(word, &reader)
        }
    }

    private static func ofMarkers(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit? {
        switch word {
        case "addMarker":
            let name = try reader.string("name")
            let asked = try reader.number("position", "seconds of at least 0") { $0 >= 0 } ?? 0
            let snap = try reader.bool("snap", default: false)
            return DocumentEdit("Add marker") { document, context throws(SessionError) in
                let taken = Set(document.markers.map(\.name))
                let number = (1...document.markers.count + 1).first { !taken.contains("Marker \($0)") } ?? 1
                let name = name ?? "Marker \(number)"
                if taken.contains(name) { throw .duplicate(path: context.source, key: "name", id: name) }
                let line = context.stemGrid?.nearestBarLine(to: asked, timeSignature: document.timeSignature)
                document.markers.append(MarkerDocument(name: name, position: (snap ? line : nil) ?? asked))
                document.markers.sort { $0.position < $1.position }
                return ["marker": .string(name)]
            }
        case "editMarker":
            let name = try reader.requiredString("marker")
            let changes = try reader.changes()
            return DocumentEdit("Edit marker", mergeKey: "marker \(name) \(changes.keys.sorted())") {
                document, context throws(SessionError) in
                let index = try document.place(ofMarker: name, context)
                document.markers[index] = try MarkerDocument(
                    context.merged(document.markers[index].json, changes, key: "set"))
                return [:]
            }
        case "removeMarker":
            let name = try reader.requiredString("marker")
            return DocumentEdit("Remove marker") { document, context throws(SessionError) in
                document.markers.remove(at: try document.place(ofMarker: name, context))
                return [:]
            }
        default: return nil
        }
    }
}

extension SessionDocument {
    /// A stem as it is added, in a colour of its own.
    func newStem(_ file: String, title: String) -> StemDocument {
        let id = SessionDocument.identifier(for: title, taken: Set(stems.map(\.id)))
        var stem = StemDocument(id: id, name: title, file: file)
        stem.color = colourOfNextStem()
        // All stems of a session follow its tempo, or none.
        if let first = stems.first { (stem.playback, stem.bpm) = (first.playback, first.bpm) }
        return stem
    }

    fileprivate func place(ofStem id: String, _ context: EditContext) throws(SessionError) -> Int {
        guard let index = stems.firstIndex(where: { $0.id == id }) else { throw context.unknown("stem", id) }
        return index
    }

    fileprivate func place(ofMarker name: String, _ context: EditContext) throws(SessionError) -> Int {
        guard let index = markers.firstIndex(where: { $0.name == name }) else { throw context.unknown("marker", name) }
        return index
    }
}
