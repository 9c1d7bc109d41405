import BarlineTime
import Foundation

/// Finds the beats of a sound whose tempo is known roughly.
///
/// Dynamic programming over the onset envelope (Ellis 2007): the beats whose onsets are strongest while their distances
/// stay near the period. Where they lie on a straight line, that line is the answer: it has the tempo to a thousandth.
struct BeatTracker {
    private let envelope: OnsetEnvelope
    private let strengths: [Float]
    private let detected: [Float]
    private let curve: TempoCurve

    private static let tightness: Float = 120
    /// How much the network's beats count, and the onsets.
    private static let trust: Float = 8
    private static let rest: Float = 0.3
    /// How much of what the followed beats fall on the even ones must fall on to be believed.
    private static let regularity: Float = 0.85
    /// The same where the followed beats are even but for jumps by half a beat.
    private static let jumpingRegularity: Float = 0.4

    init(_ envelope: OnsetEnvelope, bpm: Double) {
        self.envelope = envelope
        let total = envelope.total
        let mean = total.reduce(0, +) / Float(max(1, total.count))
        let square = total.reduce(0) { $0 + $1 * $1 } / Float(max(1, total.count))
        let scale = 1 / max(1e-6, (square - mean * mean).squareRoot())
        let low = envelope[.low]
        let detected = envelope.activity.beats
        self.detected = detected
        strengths = total.indices.map {
            BeatTracker.trust * detected[$0] + BeatTracker.rest * (total[$0] + low[$0]) * scale
        }
        curve = TempoCurve(strengths, bpm: bpm)
    }

    /// The beats in seconds and the tempo in BPM.
    func track() -> (beats: [Double], bpm: Double) {
        let followed = path()
        let indices = evenBeats(like: followed) ?? followed
        guard indices.count >= 4 else { return (indices.map { Double($0) / OnsetEnvelope.rate }, curve.median) }
        return BeatLine.straightened(indices.map { Double($0) / OnsetEnvelope.rate }, onsets: indices.map(refined))
    }

    /// How well beats fall on what is heard, by beat.
    private func strength(of indices: [Int]) -> Float {
        let sum = indices.reduce(Float(0)) { sum, index in
            sum + (max(0, index - 2)...min(detected.count - 1, index + 2)).reduce(Float(0)) { max($0, detected[$1]) }
        }
        return sum / Float(max(1, indices.count))
    }

    /// Beats at one distance from the sound's start to its end, where they are to be believed more than those that were
    /// followed. A player may slow down; a beat that jumps by half of one was lost, and not played. `nil` too where the
    /// sound is so long that a machine would have had to play it.
    private func evenBeats(like followed: [Int]) -> [Int]? {
        let pulses = detected.indices.filter { detected[$0] > 0.05 }
        guard let last = pulses.last, let first = pulses.first, (400..<100_000).contains(last - first) else {
            return nil
        }
        let half = halfBeats(pulses, span: last - first)
        func beats(from position: Double) -> [Int] {
            stride(from: position, to: Double(detected.count), by: 2 * half.period).map {
                min(detected.count - 1, Int($0.rounded()))
            }
        }
        let candidates = [beats(from: half.position), beats(from: half.position + half.period)]
        guard let even = candidates.max(by: { strength(of: $0) < strength(of: $1) }) else { return nil }
        let near = followed.filter { index in
            let cycles = (Double(index) - half.position) / half.period
            return abs(cycles - cycles.rounded()) < 0.12
        }
        let share = Float(near.count) / Float(max(1, followed.count))
        let needed = share > 0.8 ? BeatTracker.jumpingRegularity : BeatTracker.regularity
        return strength(of: even) > needed * strength(of: followed) ? even : nil
    }

    /// The strongest even pulse of half beats near the tempo: in it beats that jump by half of one are together.
    private func halfBeats(_ pulses: [Int], span: Int) -> (position: Double, period: Double) {
        let middle = curve.median / 30 / OnsetEnvelope.rate
        let step = 1 / (8 * Double(span))
        let reach = Int(0.015 * middle / step)
        var best = (frequency: middle, real: 0.0, imaginary: 0.0, power: -1.0)
        for offset in -reach...reach {
            let frequency = middle + Double(offset) * step
            var real = 0.0
            var imaginary = 0.0
            for index in pulses {
                let angle = 2 * .pi * frequency * Double(index)
                real += Double(detected[index]) * cos(angle)
                imaginary += Double(detected[index]) * sin(angle)
            }
            let power = real * real + imaginary * imaginary
            if power > best.power { best = (frequency, real, imaginary, power) }
        }
        let period = 1 / best.frequency
        let position = atan2(best.imaginary, best.real) / (2 * .pi) * period
        return (position < 0 ? position + period : position, period)
    }

    /// The best beats as indices of the envelope.
    private func path() -> [Int] {
        let count = strengths.count
        var scores = strengths
        var previous = [Int32](repeating: -1, count: count)
        var penalties: [Int: [Float]] = [:]
        for index in 0..<count {
            let period = max(4, Int((Tempo.seconds(of: 1, at: curve.bpm(at: index)) * OnsetEnvelope.rate).rounded()))
            let shortest = period / 2
            let table = penalties[period] ?? BeatTracker.penalties(period, shortest)
            penalties[period] = table
            var best = -Float.infinity
            var from = -1
            for offset in 0..<table.count {
                let other = index - shortest - offset
                if other < 0 { break }
                let score = scores[other] - table[offset]
                if score > best {
                    best = score
                    from = other
                }
            }
            if best > 0 {
                scores[index] += best
                previous[index] = Int32(from)
            }
        }
        let tail = max(1, Int(Tempo.seconds(of: 1, at: curve.bpm(at: count - 1)) * OnsetEnvelope.rate * 1.2))
        let last = (max(0, count - tail)..<count).max { scores[$0] < scores[$1] }
        var beats: [Int] = []
        var index = last ?? -1
        while index >= 0 {
            beats.append(index)
            index = Int(previous[index])
        }
        return beats.reversed()
    }

    private static func penalties(_ period: Int, _ shortest: Int) -> [Float] {
        (shortest...2 * period).map { distance in
            let deviation = Float(log(Double(distance) / Double(period)))
            return tightness * deviation * deviation
        }
    }

    /// The time of the strongest onset near a beat; `nil` where nothing begins there.
    private func refined(_ index: Int) -> Double? {
        let time = Double(index) / OnsetEnvelope.rate
        var low = 0
        var high = envelope.onsets.count
        while low < high {
            let middle = (low + high) / 2
            if envelope.onsets[middle].time < time - 0.045 { low = middle + 1 } else { high = middle }
        }
        var best: OnsetEnvelope.Onset?
        for onset in envelope.onsets[low...] {
            if onset.time > time + 0.035 { break }
            if onset.strength > best?.strength ?? 0 { best = onset }
        }
        return best?.time
    }
}
