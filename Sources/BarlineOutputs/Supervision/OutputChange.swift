import BarlineTime

/// Something that has become of an output.
public struct OutputChange: Hashable, Sendable {
    /// What.
    public enum Kind: Hashable, Sendable {
        /// The device is gone; the engine goes on by the clock.
        case lost
        /// A device plays in its place, so many seconds later.
        case recovered(after: Double)
        /// Another device was chosen, and plays.
        case changed
    }

    /// What it was.
    public let kind: Kind
    /// The device that it was, or is now.
    public let name: String
    /// The first frame that was not rendered when it was noticed.
    public let frame: FrameTime
}
