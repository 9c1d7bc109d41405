import Foundation

/// Bars of so many beats from a certain beat on.
struct BarCandidate: Hashable {
    let beatsPerBar: Int
    /// The first beat that begins a bar.
    let first: Int

    /// All that are considered.
    static let all = [2, 3, 4, 5, 6, 7].flatMap { length in
        (0..<length).map { BarCandidate(beatsPerBar: length, first: $0) }
    }
}

/// The features of a sound's beats from which its bars are estimated.
struct BarFeatures {
    private let rows: [[Float]]
    private let loopBeats: Double?

    /// - Parameters:
    ///   - beats: what sounds on the beats.
    ///   - loopBeats: the length where the sound is a loop.
    init(_ beats: BeatFeatures, loopBeats: Double?) {
        rows = beats.rows()
        self.loopBeats = loopBeats
    }

    /// The numbers for a candidate, in a fixed order.
    func values(_ candidate: BarCandidate) -> [Float] {
        let length = candidate.beatsPerBar
        var values: [Float] = []
        for row in rows {
            let means = (0..<length).map { BarFeatures.mean(row, from: candidate.first + $0, step: length) }
            let others = means.dropFirst()
            values.append(means[0] - 1)
            values.append(means[0] - (others.max() ?? 0))
            values.append(length % 2 == 0 ? means[length / 2] - 1 : 0)
            values.append(length % 2 == 0 ? means[0] - means[length / 2] : 0)
            values.append(BarFeatures.similarity(row, length))
            values.append(BarFeatures.similarity(row, 2 * length))
            // Against the metres that it may be taken for.
            values.append(BarFeatures.similarity(row, length) - BarFeatures.similarity(row, length == 4 ? 3 : 4))
        }
        for other in [2, 3, 4, 5, 6, 7] { values.append(length == other ? 1 : 0) }
        values.append(candidate.first == 0 ? 1 : 0)
        let fits = loopBeats.map { $0.truncatingRemainder(dividingBy: Double(length)) == 0 } ?? false
        values.append(loopBeats == nil ? 0 : 1)
        values.append(fits ? 1 : 0)
        values.append(fits && candidate.first == 0 ? 1 : 0)
        values.append(loopBeats == Double(length) ? 1 : 0)
        return values
    }

    private static func mean(_ row: [Float], from first: Int, step: Int) -> Float {
        var sum: Float = 0
        var count = 0
        for index in stride(from: first, to: row.count, by: step) {
            sum += row[index]
            count += 1
        }
        return count > 0 ? sum / Float(count) : 0
    }

    /// How much the row is like itself so many beats later, −1 … 1.
    private static func similarity(_ row: [Float], _ lag: Int) -> Float {
        guard row.count > lag + 2 else { return 0 }
        let mean = row.reduce(0, +) / Float(row.count)
        var product: Float = 0
        var power: Float = 1e-3
        for index in row.indices {
            power += (row[index] - mean) * (row[index] - mean)
            if index + lag < row.count { product += (row[index] - mean) * (row[index + lag] - mean) }
        }
        return product / power * Float(row.count) / Float(row.count - lag)
    }
}
