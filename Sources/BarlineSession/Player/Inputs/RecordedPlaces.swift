/// What is recorded while an edit is made: it can't be taken away, and stays where it is.
struct RecordedPlaces: Sendable {
    /// A slot that a take is recorded into, or waits to be.
    struct Slot: Sendable {
        let track: String
        let slot: Int
        /// What the take's clip will be called.
        let take: String
    }

    /// The tracks that are recorded into.
    var tracks: Set<String> = []
    /// The inputs that are recorded.
    var inputs: Set<String> = []
    var slots: [Slot] = []

    /// The slots of a track that takes are recorded into.
    func slots(ofTrack id: String) -> Set<Int> { Set(slots.filter { $0.track == id }.map(\.slot)) }

    /// Refuses a document that has a clip where something is recorded.
    func requireFree(in document: SessionDocument, _ source: String, key: String) throws(SessionError) {
        for slot in slots {
            guard let track = document.tracks.first(where: { $0.id == slot.track }),
                track.clips.contains(where: { $0.slot == slot.slot })
            else { continue }
            throw .unsupported(path: source, key: key, what: "\"\(slot.take)\" is recorded there: end that first")
        }
    }
}
