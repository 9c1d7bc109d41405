import BarlineTime
import Foundation

/// The course of a sound's tempo: one value a second.
struct TempoCurve {
    /// Tempos in BPM, one a second.
    let values: [Double]

    private static let stepsEachSide = 24
    private static let ratio = 1.015
    private static let windowSeconds = 8

    /// Follows the tempo near `bpm`: the path of tempos at which the envelope repeats best in windows of 8 s, and which
    /// changes little (Viterbi).
    init(_ strengths: [Float], bpm: Double) {
        let rate = Int(OnsetEnvelope.rate)
        let seconds = max(1, strengths.count / rate)
        let steps = -TempoCurve.stepsEachSide...TempoCurve.stepsEachSide
        let tempos = steps.map { bpm * pow(TempoCurve.ratio, Double($0)) }
        var scores = [Double](repeating: 0, count: tempos.count)
        var sources: [[Int8]] = []
        for second in 0..<seconds {
            let middle = second * rate + rate / 2
            let start = max(
                0, min(middle - TempoCurve.windowSeconds * rate / 2, strengths.count - TempoCurve.windowSeconds * rate))
            let window = Array(strengths[start..<min(strengths.count, start + TempoCurve.windowSeconds * rate)])
            let saliences = TempoCurve.saliences(window, tempos)
            var next = scores
            var source = [Int8](repeating: 0, count: tempos.count)
            for index in tempos.indices {
                var best = -Double.infinity
                for jump in -3...3 where tempos.indices.contains(index + jump) {
                    let score = scores[index + jump] - 0.12 * Double(abs(jump))
                    if score > best {
                        best = score
                        source[index] = Int8(jump)
                    }
                }
                let distance = Double(index - TempoCurve.stepsEachSide) / Double(TempoCurve.stepsEachSide)
                next[index] = best + saliences[index] - 0.08 * distance * distance
            }
            scores = next
            sources.append(source)
        }
        var index = scores.indices.max { scores[$0] < scores[$1] } ?? TempoCurve.stepsEachSide
        var found: [Double] = []
        for source in sources.reversed() {
            found.append(tempos[index])
            index += Int(source[index])
        }
        values = found.reversed()
    }

    /// The tempo at an index of the envelope.
    func bpm(at index: Int) -> Double { values[min(values.count - 1, index / Int(OnsetEnvelope.rate))] }

    /// The tempo that half the sound is above.
    var median: Double { values.sorted()[values.count / 2] }

    private static func saliences(_ window: [Float], _ tempos: [Double]) -> [Double] {
        let mean = window.reduce(0, +) / Float(window.count)
        let centered = window.map { $0 - mean }
        let power = centered.reduce(0) { $0 + $1 * $1 }
        guard power > 1e-6 else { return tempos.map { _ in 0 } }
        let longest = min(
            window.count - 2, Int(Tempo.frames(of: 2, at: tempos.first ?? 60, rate: OnsetEnvelope.rate)) + 2)
        let table = (0...max(1, longest)).map { lag -> Float in
            var sum: Float = 0
            for index in 0..<max(0, centered.count - lag) { sum += centered[index] * centered[index + lag] }
            return sum / power * Float(centered.count) / Float(max(1, centered.count - lag))
        }
        func value(_ lag: Double) -> Double {
            let index = Int(lag)
            guard index + 1 < table.count else { return 0 }
            return Double(table[index]) + (lag - Double(index)) * Double(table[index + 1] - table[index])
        }
        return tempos.map { tempo in
            let period = Tempo.seconds(of: 1, at: tempo) * OnsetEnvelope.rate
            return 0.5 * value(period) + 0.5 * value(2 * period)
        }
    }
}
