/// A player that the desktop may show and control: media keys, panels, `playerctl`.
///
/// All members are called from a thread of the desktop's own, and must not wait.
package protocol MediaPlayer: AnyObject, Sendable {
    /// How the player fares, now.
    var mediaState: MediaPlayerState { get }
    /// Does what the desktop asks for; what can't be done now is passed over.
    func perform(_ command: MediaPlayerCommand)
}

/// A command of the desktop to a player.
package enum MediaPlayerCommand: Hashable, Sendable {
    /// Play, or resume.
    case play
    /// Hold the position.
    case pause
    /// The one or the other.
    case playPause
    /// Stop, and go back to the beginning of the track.
    case stop
    /// Go to the next track.
    case next
    /// Go to the track before.
    case previous
    /// Move by so many seconds, which may be negative; beyond the end is the next track.
    case seek(by: Double)
    /// Go to this second of the current track.
    case setPosition(Double)
    /// Set the volume, 1 for unity gain.
    case setVolume(Double)
    /// Repeat, or don't.
    case setLoop(MediaPlayerState.Loop)
    /// Shuffle, or don't.
    case setShuffle(Bool)
    /// Go to the track with this identifier.
    case goTo(String)
    /// Play the file or stream with this URI.
    case open(String)
    /// End the program.
    case quit
}

/// The state of a player, as a desktop shows it.
package struct MediaPlayerState: Hashable, Sendable {
    /// The playback status.
    package enum Status: String, Sendable {
        /// It plays.
        case playing = "Playing"
        /// It holds its position.
        case paused = "Paused"
        /// There is nothing to play.
        case stopped = "Stopped"
    }

    /// The loop status.
    package enum Loop: String, Sendable, CaseIterable {
        /// Nothing.
        case none = "None"
        /// The current track.
        case track = "Track"
        /// The whole list.
        case playlist = "Playlist"
    }

    /// Whether it plays.
    package var status = Status.stopped
    /// What plays.
    package var track: MediaTrack?
    /// Where in it, in seconds.
    package var position = 0.0
    /// The volume, 1 for unity gain.
    package var volume = 1.0
    /// What is repeated.
    package var loop = Loop.none
    /// Whether tracks are shuffled.
    package var isShuffled = false
    /// Whether there is a next track.
    package var canGoNext = false
    /// Whether there is a track before.
    package var canGoPrevious = false
    /// Whether the position in the current track can be changed.
    package var canSeek = false
    /// All tracks, in the order of play.
    package var tracks: [MediaTrack] = []

    /// A player with nothing to play.
    package init() {}
}

/// A track in a player's list.
package struct MediaTrack: Hashable, Sendable {
    /// What distinguishes it from all others in the list, also from others of the same file.
    package var id: String
    /// The title.
    package var title: String?
    /// Who plays it.
    package var artist: String?
    /// What it is from.
    package var album: String?
    /// Its number there.
    package var trackNumber: Int?
    /// Its length in seconds.
    package var duration: Double?
    /// Where it is, as a URI.
    package var uri: String?
    /// Where its cover is, as a URI.
    package var artURI: String?

    /// A track of which nothing is known.
    package init(id: String) { self.id = id }
}
