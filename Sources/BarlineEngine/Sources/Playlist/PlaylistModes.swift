/// The modes of a playlist: repeat, shuffle, single and consume.
public struct PlaylistModes: Sendable, Hashable {
    /// The repeat mode.
    public enum Repeat: String, Sendable, CaseIterable {
        /// Does not repeat.
        case off
        /// Repeats the current item.
        case one
        /// Repeats the list.
        case all
    }

    /// The repeat mode.
    public var `repeat` = Repeat.off
    /// Whether items play in random order, none twice before all were played.
    public var isShuffled = false
    /// Whether playback ends after each item, or repeats it if ``repeat`` is on.
    public var isSingle = false
    /// Whether items are removed from the playlist once played.
    public var consumes = false
    /// Whether playback ends after the current item, once.
    public var stopsAfterCurrent = false

    /// Creates modes that play the list once, in order.
    public init() {}
}
