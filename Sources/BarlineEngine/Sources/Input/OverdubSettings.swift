/// The settings of an overdub.
public struct OverdubSettings: Hashable, Sendable {
    /// The levels at which a loop may go on sounding in what is recorded over it, as amplitudes.
    public static let feedbackRange: ClosedRange<Double> = 0...1

    /// What is recorded.
    public var input: InputIndex
    /// The level at which the loop goes on sounding in each layer, in ``feedbackRange``: 1 adds to it, 0 replaces it.
    public var feedback: Double
    /// The bars after which it ends by itself, in ``TakeSettings/barsRange``; `nil` until it is asked for again.
    public var bars: Int?

    /// Recording over a loop until it is asked for again, or for so many bars.
    public init(input: InputIndex, feedback: Double = 1, bars: Int? = nil) {
        self.input = input
        self.feedback = feedback
        self.bars = bars
    }
}
