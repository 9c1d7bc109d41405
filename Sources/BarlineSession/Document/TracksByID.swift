/// Tracks by their identifiers.
struct TracksByID {
    private let tracks: [TrackDocument]
    private lazy var places = Dictionary(
        tracks.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })

    init(_ tracks: [TrackDocument]) { self.tracks = tracks }

    /// The track that is called `id`.
    ///
    /// - Complexity: O(1) where it is at `place`; the first that is not takes O(*n*).
    mutating func track(_ id: String, near place: Int) -> TrackDocument? {
        if tracks.indices.contains(place), tracks[place].id == id { return tracks[place] }
        return places[id].map { tracks[$0] }
    }
}
