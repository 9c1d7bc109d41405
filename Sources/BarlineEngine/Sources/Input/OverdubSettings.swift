/// The settings of an overdub.
public struct OverdubSettings: Hashable, Sendable {
    /// The range of ``feedback``, an amplitude.
    public static let feedbackRange: ClosedRange<Double> = 0...1

    /// The input to record.
    public var input: InputIndex
    /// The level at which the loop is mixed into each layer, in ``feedbackRange``: 1 adds to it, 0 replaces it.
    public var feedback: Double
    /// The number of bars after which it ends by itself, in ``TakeSettings/barsRange``; `nil` to overdub until the next
    /// call.
    public var bars: Int?

    /// Creates settings for an overdub that lasts until the next call, or for a number of bars.
    public init(input: InputIndex, feedback: Double = 1, bars: Int? = nil) {
        self.input = input
        self.feedback = feedback
        self.bars = bars
    }
}
