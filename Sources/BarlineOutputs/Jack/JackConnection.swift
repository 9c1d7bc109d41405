/// The connection of the main ports of a ``JackDevice``.
public enum JackConnection: Hashable, Sendable {
    /// To the physical outputs.
    case automatic
    /// To the audio inputs whose name the pattern matches, in the server's order.
    case matching(String)
    /// To nothing: the user connects them.
    case none
}
