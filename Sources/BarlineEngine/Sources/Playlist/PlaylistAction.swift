extension Playlist {
    /// A command to the playlist.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Leaves what plays for a deck, at once, over `fade` frames.
        case start(deck: Int, fade: Int64, plays: Bool)
        /// Goes over to a deck at a position of the playlist's sound; none where it is −1.
        case changeOver(deck: Int, position: Int64, fade: Int64)
        case play
        case pause
        case stop
    }
}
