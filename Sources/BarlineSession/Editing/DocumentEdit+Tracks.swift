extension DocumentEdit {
    static func ofTracks(_ word: String, _ reader: inout ObjectReader) throws(SessionError) -> DocumentEdit? {
        switch word {
        case "addTrack":
            let name = try reader.string("name")
            let index = try reader.integer("index", atLeast: 0)
            return DocumentEdit("Add track") { document, _ throws(SessionError) in
                let name = name ?? "Track \(document.tracks.count + 1)"
                let id = SessionDocument.identifier(for: name, taken: Set(document.tracks.map(\.id)))
                let place = min(index ?? document.tracks.count, document.tracks.count)
                document.tracks.insert(TrackDocument(id: id, name: name), at: place)
                return ["track": .string(id)]
            }
        case "editTrack":
            let id = try reader.requiredString("track")
            let changes = try reader.changes()
            return DocumentEdit("Edit track", mergeKey: "track \(id) \(changes.keys.sorted())") {
                document, context throws(SessionError) in
                let index = try document.place(ofTrack: id, context)
                var edited = try TrackDocument(context.merged(document.tracks[index].json, changes, key: "set"))
                edited.clips = document.tracks[index].clips
                document.tracks[index] = edited
                return [:]
            }
        case "removeTrack":
            let id = try reader.requiredString("track")
            return DocumentEdit("Remove track") { document, context throws(SessionError) in
                document.tracks.remove(at: try document.place(ofTrack: id, context))
                return [:]
            }
        case "moveTrack":
            let id = try reader.requiredString("track")
            let target = try reader.requiredInteger("index", atLeast: 0)
            return DocumentEdit("Move track") { document, context throws(SessionError) in
                document.tracks.moveElement(from: try document.place(ofTrack: id, context), to: target)
                return [:]
            }
        default: return nil
        }
    }
}
