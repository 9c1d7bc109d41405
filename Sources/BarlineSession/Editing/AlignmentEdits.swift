/// What was recorded, moved to where it was played by what is known better since.
enum AlignmentEdits {
    static let verbs: [Verb<DocumentEdit>] = [align]

    private static let align = Verb(
        "alignTakes",
        "Moves what was recorded to where it was played, by what `barline latency` has measured since: one clip, or without `clip` all. The "
            + "`result` says how many were `moved`.",
        kind: .edit, .optional("clip", .words)
    ) { id in
        DocumentEdit("Align takes") { document, context throws(SessionError) in
            if let id { _ = try document.place(ofClip: id, context) }
            let measured = context.latencies?.measured ?? []
            var moved = 0
            for track in document.tracks.indices {
                for clip in document.tracks[track].clips.indices
                where id == nil || document.tracks[track].clips[clip].id == id {
                    if try document.tracks[track].clips[clip].align(by: measured, context) { moved += 1 }
                }
            }
            return ["moved": .number(Double(moved))]
        }
    }
}

extension ClipDocument {
    /// Moves the clip within its file, which has more at both ends: what has now turned out to be so many frames later
    /// in it is as many earlier on the timeline.
    ///
    /// - Returns: whether it had to be moved.
    fileprivate mutating func align(
        by measured: [MeasuredLatency], _ context: EditContext
    ) throws(SessionError) -> Bool {
        guard var known = latency,
            let better = measured.last(where: {
                ($0.output, $0.input) == (known.output, known.input) && $0.sampleRate == known.sampleRate
            })
        else { return false }
        let shift = better.correction - known.correction
        if shift == 0 { return false }
        let frames = context.clips[id]?.audio?.samples.frameCount ?? .max
        guard start + shift >= 0, (end ?? 0) + shift <= frames else {
            throw context.error(
                "clip", expected: "clips whose files have \(abs(shift)) frames more than is played", found: "\"\(id)\"")
        }
        start += shift
        if let end { self.end = end + shift }
        known.frames += shift
        known.correction += shift
        latency = known
        return true
    }
}
