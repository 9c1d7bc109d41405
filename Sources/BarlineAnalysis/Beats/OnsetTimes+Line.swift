import BarlineTime
import Foundation

extension OnsetTimes {
    /// The tempo in BPM near `bpm` of the straight line that the onsets are nearest to, when each is given the number
    /// of the quarter or the third of a beat on which it is; and the time of the first beat.
    func line(near bpm: Double) -> (bpm: Double, offset: Double) {
        var best = (bpm: bpm, offset: 0.0, cost: Double.infinity)
        // A hard cut is the strongest of onsets and not the most exact one.
        let weights = weights.map { min(1, $0) }
        let pulse = pulse(near: Tempo.beats(in: 1, at: bpm), reach: 0.02)
        for parts in [2.0, 3, 4] {
            var period = 1 / pulse.frequency / parts
            var offset = pulse.phase
            var cost = Double.infinity
            for _ in 0..<6 {
                let numbers = times.map { (($0 - offset) / period).rounded() }
                let line = BeatLine.fit(numbers, times, weights: weights, spread: 0.008)
                guard abs(log2(line.period / period)) < 0.05 else { break }
                period = line.period
                offset = line.offset
                let distances = zip(numbers, times).map { min(0.03, abs($1 - offset - period * $0)) }
                // Finer parts are nearer to anything.
                cost = zip(distances, weights).reduce(0) { $0 + $1.0 * $1.1 } * parts.squareRoot()
            }
            if cost < best.cost { best = (Tempo.beatsPerMinute(of: 1, in: period) / parts, offset, cost) }
        }
        return (best.bpm, best.offset)
    }
}
