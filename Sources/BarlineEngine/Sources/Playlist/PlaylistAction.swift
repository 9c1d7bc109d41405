extension Playlist {
    /// A command to the playlist.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Leaves the playing deck for another, at once, over `fade` frames.
        case start(deck: Int, fade: Int64, plays: Bool)
        /// Switches to a deck at a position of the playlist's stream; −1 cancels the switch.
        case changeOver(deck: Int, position: Int64, fade: Int64)
        case play
        case pause
        case stop
    }
}
