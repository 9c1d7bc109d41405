import Foundation

/// Straight lines through beats.
enum BeatLine {
    /// The beats and the tempo in BPM: on one line where they lie on one, else smoothed over nine.
    static func straightened(_ times: [Double], strengths: [Float]) -> (beats: [Double], bpm: Double) {
        let numbers = numbered(times)
        let line = fit(numbers, times)
        let residuals = zip(numbers, times).map { abs($1 - line.offset - line.period * $0) }.sorted()
        let isStraight = residuals[residuals.count * 8 / 10] < 0.025 && residuals[residuals.count / 2] < 0.012
        if isStraight, let last = numbers.last {
            let beats = stride(from: 0, through: last, by: 1).map { line.offset + line.period * $0 }
            return (beats.filter { $0 > -0.02 }.map { max(0, $0) }, 60 / line.period)
        }
        let smooth = times.indices.map { index -> Double in
            let near = max(0, index - 4)..<min(times.count, index + 5)
            let local = fit(Array(numbers[near]), Array(times[near]))
            return local.offset + local.period * numbers[index]
        }
        let periods = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        return (smooth, 60 / periods[periods.count / 2])
    }

    /// The number of each beat: a gap of about two periods skips one.
    private static func numbered(_ times: [Double]) -> [Double] {
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        let period = gaps[gaps.count / 2]
        var number = 0.0
        return times.indices.map { index in
            if index > 0 { number += max(1, ((times[index] - times[index - 1]) / period).rounded()) }
            return number
        }
    }

    /// The line that most of the beats are near: least squares, weighed anew by the distances.
    static func fit(_ numbers: [Double], _ times: [Double]) -> (offset: Double, period: Double) {
        var weights = [Double](repeating: 1, count: times.count)
        var line = (offset: times.first ?? 0, period: 0.5)
        for _ in 0..<12 {
            let sum = weights.reduce(0, +)
            let meanNumber = zip(weights, numbers).reduce(0) { $0 + $1.0 * $1.1 } / sum
            let meanTime = zip(weights, times).reduce(0) { $0 + $1.0 * $1.1 } / sum
            var product = 0.0
            var square = 1e-12
            for index in times.indices {
                product += weights[index] * (numbers[index] - meanNumber) * (times[index] - meanTime)
                square += weights[index] * (numbers[index] - meanNumber) * (numbers[index] - meanNumber)
            }
            line.period = product / square
            line.offset = meanTime - line.period * meanNumber
            for index in times.indices {
                let distance = (times[index] - line.offset - line.period * numbers[index]) / 0.012
                weights[index] = 1 / (1 + distance * distance)
            }
        }
        return line
    }
}
