/// The edits that move recordings to where they were played, as a better known latency has it.
enum AlignmentEdits {
    static let verbs: [Verb<DocumentEdit>] = [align]

    private static let align = Verb(
        "alignTakes",
        "Moves what was recorded to where it was played, by what `barline latency` has measured since: one clip, or without `clip` all, with their "
            + "layers. The `result` says how many were `moved`, and of each that could not be why (`left`).",
        kind: .edit, .optional("clip", .words)
    ) { id in
        DocumentEdit("Align takes", aligns: AlignmentRequest(clip: id)) { document, context throws(SessionError) in
            if let id { _ = try document.place(ofClip: id, context) }
            var moved = 0
            var left: [String: JSONValue] = [:]
            for track in document.tracks.indices {
                for clip in document.tracks[track].clips.indices {
                    let present = document.tracks[track].clips[clip]
                    switch context.alignments[present.id] {
                    case nil: break
                    case .moved(let before, let after)? where before == present:
                        document.tracks[track].clips[clip] = after
                        moved += 1
                    case .moved?: left[present.id] = "it was changed meanwhile"
                    case .refused(let why)?: left[present.id] = .string(why)
                    }
                }
            }
            if moved == 0, let (id, why) = left.min(by: { $0.key < $1.key }), case .string(let text) = why {
                throw .unsupported(path: context.source, key: "clip", what: "\"\(id)\" is not moved: \(text)")
            }
            return left.isEmpty
                ? ["moved": .number(Double(moved))] : ["moved": .number(Double(moved)), "left": .object(left)]
        }
    }
}
