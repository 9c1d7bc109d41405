/// Which clips of a session play from their files: longer ones than these, in seconds.
package struct ClipStreaming: Sendable, Hashable {
    /// Of files whose samples have to be decoded, which takes as long again each time that they are read.
    package var compressed: Double
    /// Of files that have their samples as they are.
    package var uncompressed: Double
    /// Whether files that play from the disk are read before they play even if all that can be wrong with them is known
    /// without that.
    package var readsAll = true

    package init(compressed: Double, uncompressed: Double) {
        self.compressed = compressed
        self.uncompressed = uncompressed
    }

    /// All clips are in memory.
    package static let never = ClipStreaming(compressed: .infinity, uncompressed: .infinity)
}
