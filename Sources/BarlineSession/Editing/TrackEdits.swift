/// The edits of tracks.
enum TrackEdits {
    static let verbs: [Verb<DocumentEdit>] = [
        Verb(
            "addTrack", "Adds a track, at the right where `index` is missing.", kind: .edit, .optional("name", .text),
            .optional("index", .row)
        ) { name, index in
            DocumentEdit("Add track") { document, _ throws(SessionError) in
                let name = name ?? "Track \(document.tracks.count + 1)"
                let id = SessionDocument.identifier(for: name, taken: Set(document.tracks.map(\.id)))
                let place = min(index ?? document.tracks.count, document.tracks.count)
                document.tracks.insert(TrackDocument(id: id, name: name), at: place)
                return ["track": .string(id)]
            }
        },
        Verb(
            "editTrack", "Sets any keys of a track but its `id` and `clips`.", kind: .edit, .id("track"),
            .set(.track)
        ) { id, changes in
            DocumentEdit("Edit track", mergeKey: "track \(id) \(changes.keys.sorted())") {
                document, context throws(SessionError) in
                let index = try document.place(ofTrack: id, context)
                document.tracks[index] = try context.edited(document.tracks[index], changes)
                return [:]
            }
        },
        Verb(
            "removeTrack", "Takes a track out, with its clips; one that is recorded into is refused.", kind: .edit,
            .id("track")
        ) { id in
            DocumentEdit("Remove track") { document, context throws(SessionError) in
                let place = try document.place(ofTrack: id, context)
                try context.requireUnrecorded("track", id, in: context.recorded.tracks)
                document.tracks.remove(at: place)
                return [:]
            }
        },
        Verb("moveTrack", "Moves a track to a place.", kind: .edit, .id("track"), .required("index", .row)) {
            id, target in
            DocumentEdit("Move track") { document, context throws(SessionError) in
                document.tracks.moveElement(from: try document.place(ofTrack: id, context), to: target)
                return [:]
            }
        },
    ]
}
