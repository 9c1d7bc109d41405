import CWeights
import Foundation

/// An average of small networks with one hidden layer that scores a candidate's numbers. Its weights are made by
/// `Benchmarks/Tempo/train.py`.
struct Classifier: Sendable {
    private let means: [Float]
    private let scales: [Float]
    private let parts: [Part]

    private struct Part: Sendable {
        let hidden: [Float]
        let offsets: [Float]
        let output: [Float]
    }

    /// Scores a metre and its phase.
    static let bars = Classifier(WeightReader(barline_weights_bars()))
    /// Scores a number of beats of a loop.
    static let beatCounts = Classifier(WeightReader(barline_weights_beat_counts()))
    /// Scores a phase of the beats.
    static let beatPhases = Classifier(WeightReader(barline_weights_beat_phases()))
    /// Scores a tempo of a sound.
    static let tempos = Classifier(WeightReader(barline_weights_tempos()))

    /// Reads weights: first the width, the number of hidden units and of networks; then means, inverse deviations, and
    /// per network the hidden weights by input, offsets and output.
    private init(_ weights: WeightReader) {
        var weights = weights
        let header = weights.take(3).map { Int($0) }
        let (width, units, networks) = (header[0], header[1], header[2])
        means = weights.take(width)
        scales = weights.take(width)
        var parts: [Part] = []
        for _ in 0..<networks {
            let (hidden, offsets) = (weights.take(width * units), weights.take(units))
            parts.append(Part(hidden: hidden, offsets: offsets, output: weights.take(units)))
        }
        self.parts = parts
        precondition(weights.isAtEnd, "nothing but the weights")
    }

    /// How many numbers a candidate has.
    var width: Int { means.count }

    /// The score of a candidate.
    func score(_ values: [Float]) -> Float {
        precondition(values.count == means.count, "as many numbers as the classifier was trained on")
        let inputs = zip(values, zip(means, scales)).map { value, scaling in
            min(5, max(-5, (value - scaling.0) * scaling.1))
        }
        var sum: Float = 0
        for part in parts {
            var units = part.offsets
            for (index, input) in inputs.enumerated() where input != 0 {
                let row = index * units.count
                for unit in units.indices { units[unit] += input * part.hidden[row + unit] }
            }
            for unit in units.indices { sum += max(0, units[unit]) * part.output[unit] }
        }
        return sum / Float(max(1, parts.count))
    }

    /// Probabilities of candidates, of which one is right.
    static func probabilities(_ scores: [Float]) -> [Double] {
        guard let highest = scores.max() else { return [] }
        let powers = scores.map { exp(Double($0 - highest)) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
