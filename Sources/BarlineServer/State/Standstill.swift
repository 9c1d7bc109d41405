import NIOCore

/// Tells when positions and meters have stood still for a while: they are sent less often then.
struct Standstill {
    /// The latest frame, without its stamp.
    private var content = ByteBuffer()
    /// How many frames in a row were like it.
    private var count = 0

    /// The place of the frame and the time in a frame of positions, which go on while all else stands still.
    private static let stamp = 8..<24
    /// So many frames in a row that are the same are a standstill: meters that fall may wait for a block.
    private static let leastCount = 30
    /// Of so many frames one is sent during a standstill.
    private static let interval = 2

    /// Whether nothing moves.
    var isThere: Bool { count >= Standstill.leastCount }

    /// Takes the next frame in.
    ///
    /// - Parameter frame: a frame of positions.
    /// - Returns: whether it is to be sent.
    mutating func sends(_ frame: ByteBuffer) -> Bool {
        var content = frame
        content.setRepeatingByte(0, count: Standstill.stamp.count, at: Standstill.stamp.lowerBound)
        count = content == self.content ? count + 1 : 0
        self.content = content
        return !isThere || count % Standstill.interval == 0
    }
}
