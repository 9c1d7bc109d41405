/// A channel of the mixer, identified by what feeds it.
///
/// Parts that have a channel of their own declare it: ``metronome``, ``playlist``, ``pads``.
public enum Channel: Hashable, Sendable {
    /// A track of the launcher.
    case track(TrackIndex)
    /// A stem.
    case stem(StemIndex)
    /// A part that has a channel of its own.
    case part(Part)

    /// A part that has a channel of its own.
    public struct Part: Hashable, Sendable {
        let name: String

        init(_ name: String) { self.name = name }
    }
}
