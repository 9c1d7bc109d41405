import Foundation

/// A probability from a few numbers. Its weights are made by `Benchmarks/Tempo/train.py`.
struct LogisticModel: Sendable {
    let weights: [Double]
    let offset: Double

    /// From this on a sound is taken to have a tempo: to play speech in time is a lesser harm than to refuse a loop.
    static let musicThreshold = 0.2

    /// The probability, 0 … 1.
    func probability(_ values: [Double]) -> Double {
        precondition(values.count == weights.count, "as many numbers as the model was trained on")
        return 1 / (1 + exp(-zip(weights, values).reduce(offset) { $0 + $1.0 * $1.1 }))
    }
}
