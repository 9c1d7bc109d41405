extension EditContext {
    /// Refuses to take away what is recorded.
    func requireUnrecorded(_ key: String, _ id: String, in recorded: Set<String>) throws(SessionError) {
        guard recorded.contains(id) else { return }
        throw .unsupported(path: source, key: key, what: "\"\(id)\" is recorded: end that first")
    }

    /// Refuses to put rows elsewhere that something is recorded into: whoever ends it does so by its row.
    func requireUnrecorded(rows: some RangeExpression<Int>) throws(SessionError) {
        guard let take = recorded.takes.first(where: { rows.contains($0.slot) }) else { return }
        throw .unsupported(
            path: source, key: "scene", what: "\"\(take.id)\" is recorded in a row that would move: end that first")
    }

    /// The first slot of a track, from `first` on, that no clip has and nothing is recorded into.
    func freeSlot(of track: TrackDocument, from first: Int = 0) -> Int {
        track.freeSlot(from: first, besides: recorded.slots(ofTrack: track.id))
    }
}
