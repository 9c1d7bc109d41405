/// The load of a device's callback: the share of a block's time that rendering took; 1 is all of it.
public struct OutputLoad: Hashable, Sendable {
    /// Time taken by time given, over all blocks.
    public var mean: Double
    /// What 99 of 100 blocks took at most, to a hundredth.
    public var p99: Double
    /// What the slowest block took, to a hundredth; ``most`` also stands for whatever is above it.
    public var max: Double

    /// The highest load that is measured.
    public static let most = 2.0

    /// A load.
    public init(mean: Double, p99: Double, max: Double) {
        self.mean = mean
        self.p99 = p99
        self.max = max
    }
}
