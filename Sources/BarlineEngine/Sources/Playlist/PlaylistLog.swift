/// An entry of a playlist's log.
public struct PlaylistLogEntry: Sendable, Hashable {
    /// The component that reports an entry.
    public enum Component: String, Sendable, CaseIterable {
        /// Requests and how they are served.
        case player
        /// Prefetched audio, deck by deck: verbose.
        case serializer
        /// Items that are opened, and those that can't be played.
        case item
        /// The sources of items' audio.
        case source
    }

    /// The component that reports it.
    public let component: Component
    /// Whether it reports a failure.
    public let isFailure: Bool
    /// The message.
    public let message: String

    init(_ component: Component, isFailure: Bool = false, _ message: String) {
        self.component = component
        self.isFailure = isFailure
        self.message = message
    }
}
