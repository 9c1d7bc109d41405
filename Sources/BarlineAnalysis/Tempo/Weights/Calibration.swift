import Foundation

/// The calibration of a confidence: a line between log odds (Platt, *Probabilistic outputs for support vector
/// machines*, 1999). Its numbers are made by `Benchmarks/Tempo/train.py`.
struct Calibration: Sendable {
    let slope: Double
    let offset: Double

    /// Nothing is changed.
    static let none = Calibration(slope: 1, offset: 0)

    /// The share of right answers among those that are given the probability `probability`.
    func share(_ probability: Double) -> Double {
        let bounded = min(1 - 1e-6, max(1e-6, probability))
        return 1 / (1 + exp(-slope * log(bounded / (1 - bounded)) - offset))
    }
}
