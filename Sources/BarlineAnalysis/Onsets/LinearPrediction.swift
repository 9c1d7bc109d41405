/// A linear predictor: the next sample of a sound from those before it.
///
/// The weights are those of the least squared error over a stretch of sound: the covariance method (Makhoul, "Linear
/// prediction: a tutorial review", 1975). Sines, however low, decaying or many, are said almost to the bit; what begins
/// is not.
struct LinearPrediction {
    /// The weights of the samples before, the latest one first.
    private let weights: [Double]

    /// How many samples the next one is said from.
    static let order = 32

    /// So much of the mean power is added as noise, so that silence and pure tones have weights too.
    private static let noise = 1e-8
    private static let leastPower = 1e-14

    /// Learns from `samples`, at least twice as many as ``order``.
    ///
    /// - Complexity: O(*n* · ``order`` + ``order``³).
    init(_ samples: ArraySlice<Double>) {
        let order = LinearPrediction.order
        let first = samples.startIndex + order
        let end = samples.endIndex
        // The products of samples that lie i and j before the next one, summed over all next ones.
        var rows = [[Double]](repeating: [Double](repeating: 0, count: order + 1), count: order + 1)
        for lag in 0...order {
            var sum = 0.0
            for index in first..<end { sum += samples[index] * samples[index - lag] }
            rows[0][lag] = sum
            for step in 0..<order - lag {
                let (row, column) = (step + 1, lag + step + 1)
                rows[row][column] =
                    rows[step][lag + step] + samples[first - row] * samples[first - column]
                    - samples[end - row] * samples[end - column]
            }
        }
        let power = (1...order).reduce(0) { $0 + rows[$1][$1] } / Double(order)
        let added = LinearPrediction.noise * power + LinearPrediction.leastPower
        for row in 1...order { rows[row][row] += added }
        weights = LinearPrediction.solve(rows)
    }

    /// Solves the normal equations by Cholesky's decomposition.
    private static func solve(_ rows: [[Double]]) -> [Double] {
        let order = LinearPrediction.order
        var lower = [[Double]](repeating: [Double](repeating: 0, count: order), count: order)
        for row in 0..<order {
            for column in 0...row {
                var sum = rows[column + 1][row + 1]
                for index in 0..<column { sum -= lower[row][index] * lower[column][index] }
                if row == column {
                    lower[row][row] = max(sum, leastPower).squareRoot()
                } else {
                    lower[row][column] = sum / lower[column][column]
                }
            }
        }
        var solution = [Double](repeating: 0, count: order)
        for row in 0..<order {
            var sum = rows[0][row + 1]
            for index in 0..<row { sum -= lower[row][index] * solution[index] }
            solution[row] = sum / lower[row][row]
        }
        for row in (0..<order).reversed() {
            var sum = solution[row]
            for index in row + 1..<order { sum -= lower[index][row] * solution[index] }
            solution[row] = sum / lower[row][row]
        }
        return solution
    }

    /// How far the sample at `index` is from what those before it, of which there are at least ``order``, say.
    func error(at index: Int, in samples: ArraySlice<Double>) -> Double {
        var sum = samples[index]
        for (distance, weight) in weights.enumerated() { sum -= weight * samples[index - distance - 1] }
        return abs(sum)
    }
}
