import BarlineTime
import Foundation

/// The tempos that a sound could have.
enum TempoCandidates {
    /// Tempos in BPM that are considered.
    static let range = 42.0...240.0

    /// Numbers of beats that a loop of `seconds` could have: whole ones, and halves for metres of eighths.
    static func beats(inSeconds seconds: Double) -> [Double] {
        let lowest = max(1, Tempo.beats(in: seconds, at: range.lowerBound))
        let highest = Tempo.beats(in: seconds, at: range.upperBound)
        guard lowest.rounded(.up) <= highest else { return highest >= 1 ? [highest.rounded(.down)] : [1] }
        let whole = stride(from: lowest.rounded(.up), through: highest, by: 1)
        let halves = stride(from: (lowest - 0.5).rounded(.up) + 0.5, through: min(highest, 28), by: 1)
        return Array(whole) + halves.filter { $0 >= 2.5 && (2 * $0).truncatingRemainder(dividingBy: 7) == 0 }
    }

    /// Tempos that stand out of a profile, and what is in simple ratios to them.
    static func tempos(in profile: PeriodicityProfile, activity: BeatActivity) -> [Double] {
        let steps = 600
        let ratio = range.upperBound / range.lowerBound
        let grid = (0...steps).map { range.lowerBound * pow(ratio, Double($0) / Double(steps)) }
        let saliences = grid.map { salience($0, profile) }
        var peaks: [(bpm: Double, salience: Double)] = []
        for index in 1..<steps
        where saliences[index] >= saliences[index - 1] && saliences[index] > saliences[index + 1] {
            peaks.append((grid[index], saliences[index]))
        }
        peaks.sort { $0.salience > $1.salience }
        var tempos = peaks.prefix(12).map(\.bpm)
        let ranked = activity.tempoLevels.indices.sorted { activity.tempoLevels[$0] > activity.tempoLevels[$1] }
        for index in ranked.prefix(2) {
            let tempo = BeatNetwork.tempo(ofClass: Double(index))
            if range.contains(tempo) { tempos.append(climb(tempo, profile)) }
        }
        for peak in peaks.prefix(3) {
            for factor in [2, 0.5, 3, 1.0 / 3, 1.5, 2.0 / 3, 4.0 / 3, 0.75] {
                let near = peak.bpm * factor
                guard range.contains(near) else { continue }
                tempos.append(climb(near, profile))
            }
        }
        var kept: [Double] = []
        for tempo in tempos where !kept.contains(where: { abs(log2($0 / tempo)) < 0.03 }) { kept.append(tempo) }
        return kept
    }

    /// How well the sound repeats at a tempo's beat and its multiples, and pulses at its frequency.
    private static func salience(_ bpm: Double, _ profile: PeriodicityProfile) -> Double {
        let period = Tempo.seconds(of: 1, at: bpm)
        var sum = 0.0
        var weights = 0.0
        for row in [0, 1, 2, 3, 4, 4, PeriodicityProfile.beats, PeriodicityProfile.beats] {
            for (multiple, weight) in [(1.0, 1.0), (2, 1), (3, 0.3), (4, 0.7)] {
                guard let value = profile.correlation(row, at: period * multiple) else { continue }
                sum += weight * Double(value)
                weights += weight
            }
            sum += 0.5 * Double(profile.magnitude(row, at: Tempo.beats(in: 1, at: bpm)))
            weights += 0.5
        }
        return weights > 0 ? sum / weights : 0
    }

    /// The tempo within 3 % that stands out most.
    private static func climb(_ bpm: Double, _ profile: PeriodicityProfile) -> Double {
        let nearby = (-12...12).map { bpm * pow(1.0025, Double($0)) }
        return nearby.max { salience($0, profile) < salience($1, profile) } ?? bpm
    }
}
