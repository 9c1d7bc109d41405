/// A strip of the mixer.
public enum Channel: Hashable, Sendable {
    /// That of a track of the launcher.
    case track(TrackIndex)
    /// That of a stem.
    case stem(StemIndex)
    /// That of the metronome. Soloing others does not silence it.
    case metronome
    /// That of the playlist.
    case playlist
    /// That of the pads.
    case pads
}
