import BarlineTime
import Foundation

/// Straight lines through beats.
enum BeatLine {
    /// The beats and the tempo in BPM: on one line where they lie on one, else smoothed over nine.
    ///
    /// - Parameters:
    ///   - times: about when the beats are, in seconds.
    ///   - onsets: exactly when what sounds on them begins; `nil` where nothing does.
    /// - Returns: the beats in seconds and the tempo in BPM.
    static func straightened(_ times: [Double], onsets: [Double?]) -> (beats: [Double], bpm: Double) {
        let numbers = numbered(times)
        let detected = zip(numbers, onsets).compactMap { number, onset in onset.map { (number: number, time: $0) } }
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        guard detected.count >= 4, detected.count > times.count / 5 else {
            return (times, Tempo.beatsPerMinute(of: 1, in: gaps[gaps.count / 2]))
        }
        let line = fit(detected.map(\.number), detected.map(\.time))
        let residuals = detected.map { abs($0.time - line.offset - line.period * $0.number) }.sorted()
        let isStraight = residuals[residuals.count * 7 / 10] < 0.025 && residuals[residuals.count / 2] < 0.012
        if isStraight, let last = numbers.last {
            let beats = stride(from: 0, through: last, by: 1).map { line.offset + line.period * $0 }
            return (beats.filter { $0 > -0.02 }.map { max(0, $0) }, Tempo.beatsPerMinute(of: 1, in: line.period))
        }
        var cursor = 0
        let smooth = times.indices.map { index -> Double in
            while cursor < detected.count, detected[cursor].number < numbers[index] { cursor += 1 }
            let near = detected[max(0, cursor - 4)..<min(detected.count, cursor + 5)]
            guard near.count >= 4 else { return times[index] }
            let local = fit(near.map(\.number), near.map(\.time))
            let time = local.offset + local.period * numbers[index]
            return abs(time - times[index]) < 0.06 ? time : times[index]
        }
        let periods = zip(smooth.dropFirst(), smooth).map { $0 - $1 }.sorted()
        return (smooth, Tempo.beatsPerMinute(of: 1, in: periods[periods.count / 2]))
    }

    /// The number of each beat: a gap of about two periods skips one.
    static func numbered(_ times: [Double]) -> [Double] {
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        let period = gaps[gaps.count / 2]
        var number = 0.0
        return times.indices.map { index in
            if index > 0 { number += max(1, ((times[index] - times[index - 1]) / period).rounded()) }
            return number
        }
    }

    /// The line that most of the beats are near: least squares, reweighted by the distances.
    ///
    /// - Parameters:
    ///   - numbers: the beats' numbers.
    ///   - times: their times in seconds.
    ///   - given: how much each counts.
    ///   - spread: the distance in seconds at which a time counts half.
    /// - Returns: the time of number 0 and the time from number to number, in seconds.
    static func fit(
        _ numbers: [Double], _ times: [Double], weights given: [Double]? = nil, spread: Double = 0.012
    ) -> (offset: Double, period: Double) {
        var weights = given ?? [Double](repeating: 1, count: times.count)
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
                let distance = (times[index] - line.offset - line.period * numbers[index]) / spread
                weights[index] = (given?[index] ?? 1) / (1 + distance * distance)
            }
        }
        return line
    }
}
