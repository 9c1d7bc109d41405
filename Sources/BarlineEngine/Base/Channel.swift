/// A channel of the mixer, identified by what feeds it.
public enum Channel: Hashable, Sendable {
    /// A track of the launcher.
    case track(TrackIndex)
    /// A stem.
    case stem(StemIndex)
    /// The metronome. Soloing other channels does not silence it.
    case metronome
    /// The playlist.
    case playlist
    /// The pads.
    case pads
}
