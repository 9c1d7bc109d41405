/// What is recorded while an edit is made: it can't be taken away, and stays where it is.
struct RecordedPlaces: Sendable {
    /// The tracks that are recorded into.
    var tracks: Set<String> = []
    /// The inputs that are recorded.
    var inputs: Set<String> = []
    /// The takes that are recorded into empty slots, or wait to be.
    var takes: [TakeStatus] = []

    /// The slots of a track that takes are recorded into.
    func slots(ofTrack id: String) -> Set<Int> { Set(takes.filter { $0.track == id }.map(\.slot)) }

    /// Refuses a document that has a clip where something is recorded.
    func requireFree(in document: SessionDocument, _ source: String, key: String) throws(SessionError) {
        for take in takes {
            guard let track = document.tracks.first(where: { $0.id == take.track }),
                track.clips.contains(where: { $0.slot == take.slot })
            else { continue }
            throw .unsupported(path: source, key: key, what: "\"\(take.id)\" is recorded there: end that first")
        }
    }
}
