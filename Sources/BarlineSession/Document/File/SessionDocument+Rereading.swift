extension SessionDocument {
    /// The session that would be read if this one were written, so that nothing is made that could not be read again.
    ///
    /// Tracks, clips, items of the list and what else there may be many of are not written for that where they are as
    /// in a session that was read.
    ///
    /// - Parameters:
    ///   - before: the session that was edited, which was read.
    ///   - file: what errors call it.
    /// - Returns: the session, sharing with `before` what is the same.
    /// - Throws: ``SessionError`` where it could not be read.
    /// - Complexity: O(*n*) in the tracks, and in the items of those and of the list where they have changed.
    func reread(since before: SessionDocument, file: String) throws(SessionError) -> SessionDocument {
        var document: SessionDocument
        do throws(SessionError) {
            document = try rereadSettings(since: before)
            document.tracks = tracks
            for change in changes(of: before.tracks) {
                document.tracks[change.index] = try tracks[change.index].reread(change.clips, since: change.old)
            }
            let (head, tail) = items.common(with: before.items)
            var new: [PlaylistItemDocument] = []
            for item in items[head..<items.count - tail] {
                new.append(try PlaylistItemDocument(ObjectReader(item.json, file: file, path: "")))
            }
            document.items = before.items
            document.items.replace(head..<before.items.count - tail, with: new)
        } catch {
            // Errors name places in the whole.
            return try SessionDocument(json, file: file).sharing(before)
        }
        try document.check(file: file, since: before)
        return document.sharing(before)
    }

    /// Refuses what no session file can have.
    ///
    /// - Parameter file: what errors call it.
    /// - Throws: ``SessionError``, which names the key.
    /// - Complexity: O(*n*) in the values.
    func checkValues(file: String) throws(SessionError) { _ = try reread(since: SessionDocument(), file: file) }

    /// What is read of the session but for its tracks and the list; what is as it was is not written for that.
    private func rereadSettings(since before: SessionDocument) throws(SessionError) -> SessionDocument {
        let (rest, former) = (withoutLists, before.withoutLists)
        if rest == former { return former }
        var part = rest
        if scenes == before.scenes { part.scenes = [] }
        if stems == before.stems { part.stems = [] }
        if parts == before.parts { part.parts = SessionParts() }
        var document = try SessionDocument(part.json, file: "")
        if scenes == before.scenes { document.scenes = scenes }
        if stems == before.stems { document.stems = stems }
        if parts == before.parts { document.parts = parts }
        return document
    }

    /// The tracks that are not as they were, and which of their clips are not.
    private func changes(of before: [TrackDocument]) -> [(index: Int, old: TrackDocument?, clips: Range<Int>)] {
        var known = TracksByID(before)
        return tracks.enumerated().compactMap { index, track in
            guard let old = known.track(track.id, near: index) else { return (index, nil, track.clips.indices) }
            if old == track { return nil }
            let (head, tail) = track.clips.common(with: old.clips)
            return (index, old, head..<track.clips.count - tail)
        }
    }
}

extension TrackDocument {
    /// The track that would be read if this one were written, of whose clips those in `changed` are others than in
    /// `old`, which was read.
    fileprivate func reread(_ changed: Range<Int>, since old: TrackDocument?) throws(SessionError) -> TrackDocument {
        var track = self
        var new: [ClipDocument] = []
        if withoutClips == old?.withoutClips {
            for clip in clips[changed] {
                new.append(try ClipDocument(ObjectReader(clip.json, file: "", path: ""), defaultSlot: clip.slot))
            }
        } else {
            track.clips = Array(clips[changed])
            track = try TrackDocument(ObjectReader(track.json, file: "", path: ""))
            new = track.clips
            track.clips = clips
        }
        track.clips.replaceSubrange(changed, with: new)
        return track
    }
}
