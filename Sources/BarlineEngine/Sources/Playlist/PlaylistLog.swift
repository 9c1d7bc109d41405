/// An entry of a playlist's log.
public struct PlaylistLogEntry: Sendable, Hashable {
    /// Who reports it.
    public enum Component: String, Sendable, CaseIterable {
        /// What was asked for, and what is done about it.
        case player
        /// What is written ahead, deck by deck: much.
        case serializer
        /// Items that are opened, and what can't be played.
        case item
        /// What an item's audio comes from.
        case source
    }

    /// Who reports it.
    public let component: Component
    /// Whether something has gone wrong.
    public let isFailure: Bool
    /// What is reported.
    public let message: String

    init(_ component: Component, isFailure: Bool = false, _ message: String) {
        self.component = component
        self.isFailure = isFailure
        self.message = message
    }
}
