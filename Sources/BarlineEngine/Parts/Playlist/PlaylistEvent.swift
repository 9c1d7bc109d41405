/// An event of the playlist.
public enum PlaylistEvent: Hashable, Sendable, BitwiseCopyable {
    /// An item of the playlist started.
    case itemStarted(item: PlaylistItemID)
    /// An item of the playlist ended, or was left before its end.
    case itemEnded(item: PlaylistItemID)
    /// An item of the playlist was skipped, because it could not be played.
    case itemSkipped(item: PlaylistItemID)
    /// An item of the playlist jumped to `position` seconds.
    case itemSeeked(item: PlaylistItemID, position: Double)
    /// An item of the playlist is at `position` seconds: reported every 0.1 s.
    case itemTime(item: PlaylistItemID, position: Double)
    /// The playlist started or resumed.
    case playing
    /// The playlist paused.
    case paused
    /// The playlist was stopped, and is cued to the beginning of an item.
    case stopped
    /// The last item of the playlist has ended.
    case ended
    /// An underrun: the playlist's audio is late, so it fades out and waits.
    case underrun
    /// The playlist resumed after an underrun.
    case recovered
}
