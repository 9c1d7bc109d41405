/// What a fader belongs to.
public enum StripName: Hashable, Sendable {
    /// The master.
    case master
    /// A track.
    case track(String)
    /// A clip.
    case clip(String)
    /// A stem.
    case stem(String)
    /// That of a part.
    case part(PartStrip)
}
