extension SessionDocument {
    /// The session that would be read if this one were written, so that nothing is made that could not be read again.
    ///
    /// Tracks, clips, items of the list and what else there may be many of are not written for that where they are as in a session
    /// that was read.
    ///
    /// - Parameters:
    ///   - before: the session that was edited, which was read.
    ///   - file: what errors call it.
    /// - Returns: the session, sharing with `before` what is the same.
    /// - Throws: ``SessionError`` where it could not be read.
    /// - Complexity: O(*n*) in the tracks, and in the items of those and of the list where they have changed.
    func reread(since before: SessionDocument, file: String) throws(SessionError) -> SessionDocument {
        var part = self
        let changes = changes(of: before.tracks)
        part.tracks = changes.map { change in
            var track = tracks[change.index]
            track.clips = Array(track.clips[change.clips])
            return track
        }
        if scenes == before.scenes { part.scenes = [] }
        if stems == before.stems { part.stems = [] }
        if parts == before.parts { part.parts = SessionParts() }
        let (head, tail) = items.common(with: before.items)
        part.items = SharedList(items[head..<items.count - tail])
        var document: SessionDocument
        do throws(SessionError) {
            document = try SessionDocument(part.json, file: file)
        } catch {
            // Errors name places in the whole.
            return try SessionDocument(json, file: file).sharing(before)
        }
        let read = document.tracks
        document.tracks = tracks
        for (change, track) in zip(changes, read) {
            document.tracks[change.index] = track
            var clips = tracks[change.index].clips
            clips.replaceSubrange(change.clips, with: track.clips)
            document.tracks[change.index].clips = clips
        }
        if scenes == before.scenes { document.scenes = scenes }
        if stems == before.stems { document.stems = stems }
        if parts == before.parts { document.parts = parts }
        var list = before.items
        list.replace(head..<list.count - tail, with: document.items)
        document.items = list
        try document.check(file: file, since: before)
        return document.sharing(before)
    }

    /// The tracks that are not as they were, and which of their clips are not.
    private func changes(of before: [TrackDocument]) -> [(index: Int, clips: Range<Int>)] {
        let known = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return tracks.enumerated().compactMap { index, track in
            guard let old = known[track.id] else { return (index, track.clips.indices) }
            if old == track { return nil }
            let (head, tail) = track.clips.common(with: old.clips)
            return (index, head..<track.clips.count - tail)
        }
    }
}
