/// An event of the playlist.
public enum PlaylistEvent: Hashable, Sendable, BitwiseCopyable {
    /// An item of the playlist began to play.
    case itemStarted(item: PlaylistItemID)
    /// An item of the playlist ended, or was left.
    case itemEnded(item: PlaylistItemID)
    /// An item of the playlist was left out, for it has nothing to play.
    case itemSkipped(item: PlaylistItemID)
    /// An item of the playlist is now at `position` seconds, where nobody would expect it.
    case itemSeeked(item: PlaylistItemID, position: Double)
    /// An item of the playlist is at `position` seconds: reported every 0.1 s of it.
    case itemTime(item: PlaylistItemID, position: Double)
    /// The playlist plays, or goes on.
    case playing
    /// The playlist paused.
    case paused
    /// The playlist was stopped, and stands at the beginning of an item.
    case stopped
    /// The playlist's last item has ended.
    case ended
    /// An underrun: the playlist's audio is late, so that it fades out and waits.
    case underrun
    /// The playlist goes on where it had to wait.
    case recovered
}
