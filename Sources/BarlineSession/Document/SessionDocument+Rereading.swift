extension SessionDocument {
    /// The session that would be read if this one were written, so that nothing is made that could not be read again.
    ///
    /// The clips of tracks and the items of the list that are as in a session that was read are not written for that.
    ///
    /// - Parameters:
    ///   - before: the session that was edited, which was read.
    ///   - file: what errors call it.
    /// - Returns: the session, sharing with `before` what is the same.
    /// - Throws: ``SessionError`` where it could not be read.
    /// - Complexity: O(*n*) comparisons; what is written and read is what has changed.
    func reread(since before: SessionDocument, file: String) throws(SessionError) -> SessionDocument {
        var part = self
        let known = Dictionary(before.tracks.map { ($0.id, $0.clips) }, uniquingKeysWith: { first, _ in first })
        let kept = tracks.map { known[$0.id] == $0.clips }
        for index in tracks.indices where kept[index] { part.tracks[index].clips = [] }
        let (old, new) = (before.playlist, playlist)
        let common = old == new ? new.count : min(old.count, new.count)
        let head = old == new ? common : zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.reversed(), new.reversed()).prefix(common - head).prefix { $0 == $1 }.count
        part.playlist = Array(new[head..<new.count - tail])
        var document: SessionDocument
        do throws(SessionError) {
            document = try SessionDocument(part.json, file: file)
        } catch {
            // Errors name places in the whole.
            return try SessionDocument(json, file: file).sharing(before)
        }
        for index in tracks.indices where kept[index] { document.tracks[index].clips = tracks[index].clips }
        document.playlist = Array(new[..<head] + document.playlist[...] + new[(new.count - tail)...])
        try document.check(file: file)
        return document.sharing(before)
    }
}
