/// An event of the stems.
public enum StemsEvent: Hashable, Sendable, BitwiseCopyable {
    /// The stems began to play, or went on, at `position` seconds.
    case started(position: Double)
    /// The stems paused at `position` seconds.
    case paused(position: Double)
    /// The stems are now at `position` seconds.
    case seeked(position: Double)
    /// The stems' loop went back to its start, `position` seconds.
    case looped(position: Double)
    /// The last stem has ended.
    case ended
    /// A stem lacks data: all fade out, and move on silently.
    case underrun(position: Double)
    /// All stems have data again and fade in at `position` seconds, where they would have been.
    case recovered(position: Double)
    /// A stem has come in beside those that were there, or in the place of one, at `position` seconds.
    case joined(stem: StemIndex, position: Double)
    /// A stem was taken away at `position` seconds.
    case left(stem: StemIndex, position: Double)
}
