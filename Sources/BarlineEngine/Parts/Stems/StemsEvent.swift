/// An event of the stems.
public enum StemsEvent: Hashable, Sendable, BitwiseCopyable {
    /// The stems started or resumed at `position` seconds.
    case started(position: Double)
    /// The stems paused at `position` seconds.
    case paused(position: Double)
    /// The stems jumped to `position` seconds.
    case seeked(position: Double)
    /// The stems looped back to `position` seconds.
    case looped(position: Double)
    /// The last stem has ended.
    case ended
    /// A stem underran: all fade out, and move on silently.
    case underrun(position: Double)
    /// All stems have data again and fade in at `position` seconds, where they would have been.
    case recovered(position: Double)
    /// A stem was added, or replaced another, at `position` seconds.
    case joined(stem: StemIndex, position: Double)
    /// A stem was removed at `position` seconds.
    case left(stem: StemIndex, position: Double)
}
