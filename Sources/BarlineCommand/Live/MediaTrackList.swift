import BarlineDesktop

/// The tracks of a list as last published to the desktop: they are made again where the list has changed, and looked
/// for ten times a second.
struct MediaTrackList {
    private var revision: Int?
    private var tracks: [MediaTrack] = []

    /// The tracks of the list at a revision; `make` makes them where they were of another.
    mutating func tracks(ofRevision revision: Int, _ make: () -> [MediaTrack]) -> [MediaTrack] {
        if self.revision != revision {
            tracks = make()
            self.revision = revision
        }
        return tracks
    }
}
