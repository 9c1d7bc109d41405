/// The edits of stems and markers.
enum StemEdits {
    static let verbs: [Verb<DocumentEdit>] = [
        add, edit.scripted, remove, move, transpose.scripted, moveFormants.scripted,
        setPlayback.scripted, editSet, addMarker, editMarker,
        removeMarker,
    ]

    private static let add = Verb(
        "addStem", "Adds a stem: a file that was uploaded or is in the session's folder.", kind: .edit, .id("file"),
        .set(.stem, isRequired: false)
    ) { file, changes in
        DocumentEdit("Add stem") { document, context throws(SessionError) in
            let path = try context.media.file(file, source: context.source, key: "file")
            let bare = document.newStem(path, title: SessionDocument.title(of: file))
            var stem = try StemDocument(context.merged(bare.json, changes, key: "set"))
            stem.file = try context.file(stem.file, over: path)
            document.stems.append(stem)
            return ["stem": .string(bare.id)]
        }
    }

    private static let edit = Verb(
        "editStem", "Sets any keys of a stem but its `id`.", kind: .edit, .id("stem"),
        .set(.stem)
    ) { id, changes in
        DocumentEdit("Edit stem", mergeKey: "stem \(id) \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            let index = try document.place(ofStem: id, context)
            let stem = document.stems[index]
            var edited = try StemDocument(context.merged(stem.json, changes, key: "set"))
            edited.file = try context.file(edited.file, over: stem.file)
            document.stems[index] = edited
            return [:]
        }
    }

    private static let remove = Verb("removeStem", "Takes a stem out.", kind: .edit, .id("stem")) { id in
        DocumentEdit("Remove stem") { document, context throws(SessionError) in
            document.stems.remove(at: try document.place(ofStem: id, context))
            return [:]
        }
    }

    private static let move = Verb(
        "moveStem", "Moves a stem to a place.", kind: .edit, .id("stem"), .required("index", .row)
    ) { id, target in
        DocumentEdit("Move stem") { document, context throws(SessionError) in
            document.stems.moveElement(from: try document.place(ofStem: id, context), to: target)
            return [:]
        }
    }

    private static let transpose = Verb(
        "transposeStem",
        "Sets how many semitones higher a stem sounds than it was recorded; without `stem` all of them.",
        kind: .edit, osc: [["stem", "semitones"], ["semitones"]], .optional("stem", .words),
        .required("semitones", .semitones, "decimals are cents; its tempo stays as it is")
    ) { id, semitones in
        DocumentEdit("Transpose stem", mergeKey: "stem \(id ?? "") [\"transpose\"]") {
            document, context throws(SessionError) in
            for index in try document.places(ofStem: id, context) { document.stems[index].transpose = semitones }
            return [:]
        }
    }

    private static let moveFormants = Verb(
        "formantsOfStem",
        "Sets how many semitones the formants of a stem are moved by; without `semitones` they follow its pitch.",
        kind: .edit, osc: [["stem", "semitones"], ["stem"]], .id("stem"),
        .optional("semitones", .semitones, "0 leaves a voice the same person's")
    ) { id, semitones in
        DocumentEdit("Move formants", mergeKey: "stem \(id) [\"formants\"]") { document, context throws(SessionError) in
            document.stems[try document.place(ofStem: id, context)].formants = semitones
            return [:]
        }
    }

    private static let setPlayback = Verb(
        "playbackOfStems",
        "Has all stems follow the session's tempo, at their own pitch with `stretch` and by varispeed with `repitch`, or play as "
            + "they were recorded. Without `bpm` the tempo at which they were is that which the stems have.",
        kind: .edit, osc: [["playback", "bpm"]], .required("playback", .stemPlayback),
        .optional("bpm", .tempo)
    ) { playback, bpm in
        DocumentEdit("Change playback of stems") { document, context throws(SessionError) in
            let tempo = bpm ?? document.stemTempo
            guard playback == .original || tempo != nil else {
                throw context.error("bpm", expected: "the tempo at which the stems were recorded", found: "nothing")
            }
            for index in document.stems.indices {
                document.stems[index].playback = playback
                if playback != .original { document.stems[index].bpm = tempo }
            }
            return [:]
        }
    }

    private static let editSet = Verb(
        "editStemSet", "Sets how the stems lie on bars and beats; `null` for not known.", kind: .edit,
        .set(.stemSet)
    ) { changes in
        DocumentEdit("Edit stems", mergeKey: "stem set \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            document.stemSet = try StemSetDocument(
                context.merged(.object(document.stemSet.json), changes, key: "set"))
            return [:]
        }
    }

    private static let addMarker = Verb(
        "addMarker", "Adds a marker; with `snap` at the nearest bar line of the stems.", kind: .edit,
        .optional("name", .text),
        .standard("position", .seconds, 0), .standard("snap", .flag, false)
    ) { name, asked, snap in
        DocumentEdit("Add marker") { document, context throws(SessionError) in
            let taken = Set(document.markers.map(\.name))
            let number = (1...document.markers.count + 1).first { !taken.contains("Marker \($0)") } ?? 1
            let name = name ?? "Marker \(number)"
            if taken.contains(name) { throw .duplicate(path: context.source, key: "name", id: name) }
            let line = context.stemGrid?.nearestBarLine(to: asked, timeSignature: document.timeSignature)
            document.markers.append(MarkerDocument(name: name, position: (snap ? line : nil) ?? asked))
            document.markers.sort { $0.position < $1.position }
            return ["marker": .string(name)]
        }
    }

    private static let editMarker = Verb(
        "editMarker", "Sets keys of a marker.", kind: .edit, .id("marker"),
        .set(.marker)
    ) { name, changes in
        DocumentEdit("Edit marker", mergeKey: "marker \(name) \(changes.keys.sorted())") {
            document, context throws(SessionError) in
            let index = try document.place(ofMarker: name, context)
            document.markers[index] = try MarkerDocument(
                context.merged(document.markers[index].json, changes, key: "set"))
            return [:]
        }
    }

    private static let removeMarker = Verb("removeMarker", "Takes a marker out.", kind: .edit, .id("marker")) { name in
        DocumentEdit("Remove marker") { document, context throws(SessionError) in
            document.markers.remove(at: try document.place(ofMarker: name, context))
            return [:]
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

    /// The place of a stem, or those of all.
    fileprivate func places(ofStem id: String?, _ context: EditContext) throws(SessionError) -> Range<Int> {
        guard let id else { return stems.indices }
        let index = try place(ofStem: id, context)
        return index..<index + 1
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
