import BarlineTime

/// A change of an output's state.
public struct OutputChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: Hashable, Sendable {
        /// The device was lost; the engine continues by the clock.
        case lost
        /// A device plays in its place, after the given number of seconds.
        case recovered(after: Double)
        /// Another device was chosen, and plays.
        case changed
    }

    /// The kind of the change.
    public let kind: Kind
    /// The name of the device lost, or in use now.
    public let name: String
    /// The next frame to render when the change was noticed.
    public let frame: FrameTime
}
