/// An entry of a playlist: a file or a URL, the region to play, and its tags.
public struct PlaylistEntry: Hashable, Sendable {
    /// An absolute path, or the URL of something that is not a file.
    public var location: String
    /// The title.
    public var title: String?
    /// The artist.
    public var artist: String?
    /// The album.
    public var album: String?
    /// The track number on the album.
    public var trackNumber: Int?
    /// The length in seconds according to the list; for display only.
    public var duration: Double?
    /// The start in the file.
    public var start: SourceOffset
    /// The end in the file; `nil` for the file's end.
    public var end: SourceOffset?
    /// The start of the pregap, in cue sheets that have one; it is part of the previous entry.
    public var pauseStart: SourceOffset?
    /// The gains in the list.
    public var loudness: LoudnessTags

    /// Creates an entry that is a whole file.
    public init(location: String, title: String? = nil, artist: String? = nil, duration: Double? = nil) {
        self.location = location
        self.title = title
        self.artist = artist
        self.duration = duration
        start = .start
        loudness = LoudnessTags()
    }

    /// Whether it is fetched from a URL.
    public var isRemote: Bool { PlaylistLocation.scheme(of: location) != nil }
}
