/// One frame of two channels.
public struct StereoFrame: Hashable, Sendable, BitwiseCopyable {
    /// The left sample.
    public var left: Float
    /// The right sample.
    public var right: Float

    /// Creates a frame.
    @_noLocks @inlinable public init(left: Float, right: Float) {
        self.left = left
        self.right = right
    }
}
