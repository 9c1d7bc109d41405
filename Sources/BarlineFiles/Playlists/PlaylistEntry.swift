/// One line of a playlist: what to play, from where to where, and what the list says of it.
public struct PlaylistEntry: Hashable, Sendable {
    /// An absolute path, or a URL that is not of a file.
    public var location: String
    /// The title.
    public var title: String?
    /// Who plays it.
    public var artist: String?
    /// What it is from.
    public var album: String?
    /// Its number there.
    public var trackNumber: Int?
    /// How long it is said to be, in seconds. Only for show.
    public var duration: Double?
    /// Where in the file it begins.
    public var start: SourceOffset
    /// Where in the file it ends; `nil` for the file's end.
    public var end: SourceOffset?
    /// Where the pause before it begins, in cue sheets that say so; it lies in the entry before.
    public var pauseStart: SourceOffset?
    /// Gains that the list knows.
    public var loudness: LoudnessTags

    /// An entry that is a whole file.
    public init(location: String, title: String? = nil, artist: String? = nil, duration: Double? = nil) {
        self.location = location
        self.title = title
        self.artist = artist
        self.duration = duration
        start = .start
        loudness = LoudnessTags()
    }

    /// Whether it is to be fetched, not read from a path.
    public var isRemote: Bool { PlaylistLocation.scheme(of: location) != nil }
}
