import NIOCore

/// A detector of positions and meters that have not moved for a while: they are sent less often then.
struct StillnessDetector {
    /// The latest frame, without its stamp.
    private var content = ByteBuffer()
    /// How many frames in a row were like it.
    private var count = 0

    /// The place of the frame and the time in a frame of positions, which advance while nothing else does.
    private static let stamp = 8..<24
    /// So many frames in a row that are the same are stillness: meters that fall may wait for a block.
    private static let leastCount = 30
    /// Of so many frames one is sent while nothing moves.
    private static let interval = 2

    /// Whether nothing moves.
    var isStill: Bool { count >= StillnessDetector.leastCount }

    /// Takes the next frame in.
    ///
    /// - Parameter frame: a frame of positions.
    /// - Returns: whether it is to be sent.
    mutating func sends(_ frame: ByteBuffer) -> Bool {
        var content = frame
        content.setRepeatingByte(0, count: StillnessDetector.stamp.count, at: StillnessDetector.stamp.lowerBound)
        count = content == self.content ? count + 1 : 0
        self.content = content
        return !isStill || count % StillnessDetector.interval == 0
    }
}
