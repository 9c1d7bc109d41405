extension ClosedRange<Double> {
    /// The value in the range that is nearest to `value`.
    func clamp(_ value: Double) -> Double { Swift.min(Swift.max(lowerBound, value), upperBound) }
}
