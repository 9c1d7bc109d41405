/// A strip of the mixer that has a fader.
public enum StripName: Hashable, Sendable {
    /// The master.
    case master
    /// A track.
    case track(String)
    /// A clip.
    case clip(String)
    /// A stem.
    case stem(String)
    /// The strip of a part.
    case part(PartStrip)
}
