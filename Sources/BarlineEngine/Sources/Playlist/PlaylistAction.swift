extension Playlist {
    /// A command to the playlist.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Leaves the playing deck for another, at once, over `fade` frames.
        case start(deck: Int, fade: Int64, plays: Bool, number: StartNumber)
        /// Cancels a start that was sent and is not due yet; its deck is given back.
        case cancelStart(start: Int, deck: Int)
        /// Switches to a deck at a position of the playlist's stream; −1 cancels the switch.
        case changeOver(deck: Int, position: Int64, fade: Int64)
        case play
        case pause
        case stop
    }
    /// The number of the start that a deck is for.
    ///
    /// Another version of an item may take over a while after it was sent. What was started or stopped meanwhile is not
    /// to be left for it.
    struct StartNumber: BitwiseCopyable, Sendable {
        /// Counts starts.
        var start: Int
        /// Counts the versions that continue where the one before them was; 0 for the start itself.
        var version: Int
        /// How often the list had been paused or played on when the place was counted at which a version goes on; −1
        /// where it is the place at which the version before it is.
        var pauseCount: Int64

        @_noLocks init(start: Int = 0, version: Int = 0) {
            self.start = start
            self.version = version
            pauseCount = -1
        }

        /// Whether what has this number continues from `other`, or is a start.
        @_noLocks func follows(_ other: StartNumber) -> Bool {
            version == 0 || (start == other.start && version > other.version)
        }
    }
}
