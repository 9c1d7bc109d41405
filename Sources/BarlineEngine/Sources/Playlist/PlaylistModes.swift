/// The modes of a playlist: repeat, shuffle, single and consume.
public struct PlaylistModes: Sendable, Hashable {
    /// The repeat mode.
    public enum Repeat: String, Sendable, CaseIterable {
        /// Nothing.
        case off
        /// The same item again.
        case one
        /// The first item.
        case all
    }

    /// The repeat mode.
    public var `repeat` = Repeat.off
    /// Whether items come in random order, none twice before all were played.
    public var isShuffled = false
    /// Whether playing ends after each item, or begins it again where ``repeat`` is on.
    public var isSingle = false
    /// Whether items leave the playlist when they have been played.
    public var consumes = false
    /// Whether playing ends after the item that plays, once.
    public var stopsAfterCurrent = false

    /// From front to back, once.
    public init() {}
}
