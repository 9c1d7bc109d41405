extension SessionDocument {
    /// The same session, in which what is as in another one takes no memory of its own: many steps back cost what has
    /// changed in them, and comparing them costs that too.
    ///
    /// - Parameter other: the session of before.
    /// - Returns: an equal session.
    /// - Complexity: O(*n*) in the values, which are compared.
    func sharing(_ other: SessionDocument) -> SessionDocument {
        var document = self
        if tracks == other.tracks {
            document.tracks = other.tracks
        } else {
            var known = TracksByID(other.tracks)
            for (index, track) in tracks.enumerated() {
                guard let old = known.track(track.id, near: index) else { continue }
                if old == track {
                    document.tracks[index] = old
                } else if old.clips == track.clips {
                    document.tracks[index].clips = old.clips
                }
            }
        }
        document.items = items.sharing(other.items)
        if stems == other.stems { document.stems = other.stems }
        document.parts = parts.sharing(other.parts)
        if scenes == other.scenes { document.scenes = other.scenes }
        if markers == other.markers { document.markers = other.markers }
        return document
    }
}
