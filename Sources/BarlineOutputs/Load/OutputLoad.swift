/// The load of a device's callback: the share of a block's time that rendering took; 1 is all of it.
public struct OutputLoad: Hashable, Sendable {
    /// The total rendering time divided by the total duration of the blocks.
    public var mean: Double
    /// The load that 99 of 100 blocks did not exceed, to a hundredth.
    public var p99: Double
    /// The load of the slowest block, to a hundredth; 2 also stands for anything above it.
    public var max: Double

    /// The highest load that is measured.
    static let most = 2.0

    /// Creates a load.
    package init(mean: Double, p99: Double, max: Double) {
        self.mean = mean
        self.p99 = p99
        self.max = max
    }
}
