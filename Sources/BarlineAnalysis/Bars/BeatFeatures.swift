import BarlineTime
import Foundation

/// The features of a sound on its beats and between them.
struct BeatFeatures {
    /// Strengths by band, by quarter of the beat, by beat.
    private let strengths: [[[Float]]]
    /// How much the harmony changes, by quarter of the beat, by beat.
    private let changes: [[Float]]
    /// The tempo in octaves above 120 BPM.
    private let octaves: Float
    /// How much the first sounds, and the strongest, fall on the grid moved by quarters of a beat: −1 … 1.
    private let proximity: [[Float]]
    /// How much the harmony changes over two beats, by quarter of the beat.
    private let slowChanges: [Float]
    let count: Int

    init(_ envelope: OnsetEnvelope, beats: [Double]) {
        count = beats.count
        let period = BeatFeatures.period(beats)
        octaves = Float(log2(Tempo.beatsPerMinute(of: 1, in: period) / 120))
        let quarters = 0..<4
        func times(_ quarter: Int) -> [Double] {
            beats.indices.map { index in
                let length = index + 1 < beats.count ? beats[index + 1] - beats[index] : period
                return beats[index] + length * Double(quarter) / 4
            }
        }
        let positions = quarters.map(times)
        strengths = (envelope.bands + [envelope.activity.beats, envelope.activity.downbeats]).map { band in
            positions.map { $0.map { BeatFeatures.strength(band, at: $0) } }
        }
        let first = Array(envelope.onsets.prefix(3))
        let loud = Array(
            envelope.onsets.sorted { $0.strength > $1.strength }.prefix(max(3, envelope.onsets.count / 10)))
        proximity = [first, loud].map { onsets in
            (0..<4).map { BeatFeatures.proximity(onsets.map(\.time), beats: beats, period: period, quarter: $0) }
        }
        slowChanges = positions.map { times in
            BeatFeatures.mean(times.map { BeatFeatures.change(envelope.chroma, at: $0, length: 2 * period) })
        }
        changes = positions.map { $0.map { BeatFeatures.change(envelope.chroma, at: $0, length: period) } }
    }

    /// The numbers for the grid that is moved by `rotation` quarters of a beat.
    func values(rotation: Int) -> [Float] {
        var values: [Float] = []
        for band in strengths {
            let means = (0..<4).map { BeatFeatures.mean(band[($0 + rotation) % 4]) }
            let sum = max(1e-3, means.reduce(0, +))
            values += means.map { $0 / sum }
        }
        let harmony = (0..<4).map { BeatFeatures.mean(changes[($0 + rotation) % 4]) }
        let sum = max(1e-3, harmony.reduce(0, +))
        values += harmony.map { $0 / sum }
        // A kick and a snare that alternate are a pulse; hi-hats between them are not.
        for band in strengths.dropLast(2) {
            for quarter in [0, 2] { values.append(BeatFeatures.alternation(band[(quarter + rotation) % 4])) }
        }
        let slowSum = max(1e-3, slowChanges.reduce(0, +))
        values += (0..<4).map { slowChanges[($0 + rotation) % 4] / slowSum }
        values += proximity.map { $0[rotation] }
        return values + [octaves, octaves * octaves]
    }

    private static func proximity(_ times: [Double], beats: [Double], period: Double, quarter: Int) -> Float {
        var sum = 0.0
        for time in times {
            var low = 0
            var high = beats.count - 1
            while low < high {
                let middle = (low + high + 1) / 2
                if beats[middle] <= time { low = middle } else { high = middle - 1 }
            }
            sum += cos(2 * .pi * ((time - beats[low]) / period - Double(quarter) / 4))
        }
        return Float(sum / Double(max(1, times.count)))
    }

    /// How strongly the even beats differ from the odd ones, 0 … 1.
    private static func alternation(_ row: [Float]) -> Float {
        var sum: Float = 0
        var total: Float = 1e-3
        for (index, value) in row.enumerated() {
            sum += index % 2 == 0 ? value : -value
            total += value
        }
        return abs(sum) / total
    }

    /// The numbers of a row by beat: strengths by band on the beat, their sum, and the changes of harmony.
    func rows() -> [[Float]] {
        let onBeat = strengths.map { $0[0] }
        let total = (0..<count).map { index in onBeat.dropLast(2).reduce(0) { $0 + $1[index] } }
        return (onBeat + [total, changes[0]]).map { row in
            let mean = max(1e-3, BeatFeatures.mean(row))
            return row.map { min(4, $0 / mean) }
        }
    }

    private static func mean(_ row: [Float]) -> Float { row.isEmpty ? 0 : row.reduce(0, +) / Float(row.count) }

    private static func period(_ beats: [Double]) -> Double {
        guard let first = beats.first, let last = beats.last, beats.count > 1 else { return 0.5 }
        return (last - first) / Double(beats.count - 1)
    }

    private static func strength(_ band: [Float], at time: Double) -> Float {
        let middle = Int((time * OnsetEnvelope.rate).rounded())
        let range = (middle - 3..<middle + 4).clamped(to: 0..<band.count)
        return range.reduce(0) { max($0, band[$1]) }
    }

    /// The angle between what sounds in the beat before and in the beat after.
    private static func change(_ chroma: [SIMD16<Float>], at time: Double, length: Double) -> Float {
        let rate = OnsetEnvelope.rate / Double(OnsetEnvelope.chromaStep)
        func sum(_ start: Double, _ end: Double) -> SIMD16<Float> {
            let range =
                (Int((start * rate).rounded())..<max(Int((start * rate).rounded()) + 1, Int((end * rate).rounded())))
            return range.clamped(to: 0..<chroma.count).reduce(into: SIMD16()) { $0 += chroma[$1] }
        }
        let before = centered(sum(time - length, time))
        let after = centered(sum(time, time + length))
        let product = (before * after).sum()
        let scale = ((before * before).sum() * (after * after).sum()).squareRoot()
        return scale > 1e-6 ? 1 - product / scale : 0
    }

    private static func centered(_ chroma: SIMD16<Float>) -> SIMD16<Float> {
        let mean = chroma.sum() / 12
        var centered = chroma - mean
        for index in 12..<16 { centered[index] = 0 }
        return centered
    }
}
