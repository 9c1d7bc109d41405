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

    /// Reads weights: Base64 of 16-bit floats, little-endian; first the width, the number of hidden units and of
    /// networks; then means, inverse deviations, and per network the hidden weights by input, offsets and output.
    init(base64 text: String) {
        let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
        var values = stride(from: 0, to: data.count - 1, by: 2).map { index in
            Float(Float16(bitPattern: UInt16(data[index]) | UInt16(data[index + 1]) << 8))
        }[...]
        func take(_ count: Int) -> [Float] {
            let taken = Array(values.prefix(count))
            values = values.dropFirst(count)
            return taken
        }
        let header = take(3).map { Int($0) }
        precondition(header.count == 3, "the weights have a header")
        let (width, units, networks) = (header[0], header[1], header[2])
        means = take(width)
        scales = take(width)
        parts = (0..<networks).map { _ in
            Part(hidden: take(width * units), offsets: take(units), output: take(units))
        }
        precondition(parts.last?.output.count == units, "the weights are complete")
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
