import Foundation

/// The position of the beats of a sound whose length is a whole number of them, with the features by which a logistic
/// model decides whether the first is on its first frame.
///
/// A length says how far apart the beats are, and nothing of where they are: thirty seconds of a song at 120 BPM are
/// sixty beats wherever they were cut.
struct LoopPhase {
    /// The time of the first beat that is heard, in seconds: from 0 up to a beat.
    let offset: Double
    /// Whether frame 0 is so near a beat that it is on it.
    let isAtStart: Bool
    /// Names and values, in a fixed order.
    let values: [Double]

    /// How near frame 0 a beat may be heard that is on it, in seconds: a drum's attack, a coder's delay.
    static let proximity = 0.02
    /// A loop is far more often cut on a beat than not: how unlikely that must be before that is rejected.
    static let threshold = 0.3
    private static let phases = 200

    /// - Parameters:
    ///   - sound: the sound, taken as a loop.
    ///   - times: its onsets.
    ///   - beats: its length, a whole number.
    init(_ sound: ShortSound, times: OnsetTimes, beats: Int) {
        let activity = sound.looped.activity
        let period = sound.seconds / Double(beats)
        let scores = LoopPhase.comb(activity.beats, count: beats)
        let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
        let refined = times.refined(Double(best) / Double(LoopPhase.phases) * period, period: period)
        offset = refined - (refined / period).rounded(.down) * period
        isAtStart = min(offset, period - offset) < LoopPhase.proximity

        let bars = LoopPhase.comb(activity.downbeats, count: beats % 4 == 0 ? beats / 4 : beats)
        func lag(_ parts: Double) -> (lag: Double, length: Double) { times.lag(at: parts / period) }
        let (third, quarter) = (lag(3), lag(4))
        let ring = activity.beats.ring(at: Double(beats))
        let halves = activity.beats.ring(at: Double(2 * beats))
        let edge = [activity.beats.first, activity.beats.dropFirst().first, activity.beats.last].compactMap { $0 }
        let first = times.times.first { $0 > -0.02 } ?? 0
        values = [
            log((scores[0] + 0.05) / (scores[best] + 0.05)), quarter.length >= third.length ? quarter.lag : third.lag,
            quarter.lag, ring, halves, lag(1).lag, Double(edge.max() ?? 0), beats & (beats - 1) == 0 ? 1 : 0,
            beats % 4 == 0 ? 1 : 0, bars[0] - (bars.max() ?? 0),
            min(1, min(first, abs(first - sound.seconds)) / period),
        ]
    }

    /// How high a row is on the average at `count` places at one distance all around, by where the first is.
    private static func comb(_ row: [Float], count: Int) -> [Double] {
        guard !row.isEmpty, count > 0 else { return [Double](repeating: 0, count: phases) }
        let width = row.count
        let widened = row.indices.map { index in
            (-2...2).reduce(Float(0)) { max($0, row[(index + $1 + 2 * width) % width]) }
        }
        let distance = Double(width) / Double(count)
        return (0..<phases).map { phase in
            let sum = (0..<count).reduce(0.0) { sum, number in
                let place = (Double(number) + Double(phase) / Double(phases)) * distance
                return sum + Double(widened[Int(place.rounded()) % width])
            }
            return sum / Double(count)
        }
    }
}

extension [Float] {
    /// How far a row that goes around is from being highest at place 0 of `cycles` even distances: 0 where it is, or
    /// has no highest place, up to 2.
    fileprivate func ring(at cycles: Double) -> Double {
        var (real, imaginary, sum) = (0.0, 0.0, 1e-9)
        for (index, value) in enumerated() {
            let angle = 2 * Double.pi * cycles * Double(index) / Double(count)
            real += Double(value) * cos(angle)
            imaginary += Double(value) * sin(angle)
            sum += Double(value)
        }
        return ((real * real + imaginary * imaginary).squareRoot() - real) / sum
    }
}

extension OnsetTimes {
    /// The same of the onsets at a frequency in hertz, and how even they are at it: 0 … 1.
    fileprivate func lag(at frequency: Double) -> (lag: Double, length: Double) {
        var (real, imaginary, sum) = (0.0, 0.0, 1e-9)
        for (time, weight) in zip(times, weights) {
            let angle = 2 * .pi * frequency * time
            real += min(1.5, weight) * cos(angle)
            imaginary += min(1.5, weight) * sin(angle)
            sum += min(1.5, weight)
        }
        let length = (real * real + imaginary * imaginary).squareRoot() / sum
        return (length - real / sum, length)
    }

    /// A beat's time, moved to the median of the onsets that are near the beats.
    fileprivate func refined(_ time: Double, period: Double) -> Double {
        var offset = time
        for _ in 0..<3 {
            let near = zip(times, weights).compactMap { time, weight -> (distance: Double, weight: Double)? in
                let cycles = (time - offset) / period
                let distance = (cycles - cycles.rounded()) * period
                return abs(distance) < 0.045 ? (distance, min(1, weight)) : nil
            }.sorted { $0.distance < $1.distance }
            let half = near.reduce(0) { $0 + $1.weight } / 2
            var sum = 0.0
            guard
                let middle = near.first(where: {
                    sum += $0.weight; return sum >= half
                })
            else { return offset }
            offset += middle.distance
        }
        return offset
    }
}
