import BarlineTime
import Foundation

/// The tempo at a time.
public struct TempoPoint: Hashable, Sendable {
    /// Seconds from the sound's start.
    public let time: Double
    /// The tempo in BPM.
    public let bpm: Double
}

extension TempoEstimate {
    /// How far the curve may be from the tempo of the beats around a moment, as a share of it.
    private static let tolerance = 0.01
    /// Beats on both sides that a moment's tempo is taken from.
    private static let reach = 4

    /// The tempo curve, linear between points and constant before the first and after the last one. Within 1 % of the
    /// tempo of the four beats on both sides; empty if the tempo is constant, or there is none.
    ///
    /// - Complexity: O(*n*) in the beats.
    public var tempoCurve: [TempoPoint] {
        guard loopBeats == nil, beats.count > 2 * TempoEstimate.reach else { return [] }
        let points = localTempos()
        let tempos = points.map(\.bpm)
        guard let lowest = tempos.min(), let highest = tempos.max(),
            highest > (1 + 2 * TempoEstimate.tolerance) * lowest
        else { return [] }
        var kept = IndexSet([0, points.count - 1])
        TempoEstimate.simplify(points, 0..<points.count, into: &kept)
        return kept.map { points[$0] }
    }

    /// The tempo at every beat: the slope of the line through the beats around it.
    private func localTempos() -> [TempoPoint] {
        let numbers = BeatLine.numbered(beats)
        return beats.indices.map { index in
            let near = max(0, index - TempoEstimate.reach)...min(beats.count - 1, index + TempoEstimate.reach)
            let meanNumber = numbers[near].reduce(0, +) / Double(near.count)
            let meanTime = beats[near].reduce(0, +) / Double(near.count)
            var product = 0.0
            var square = 0.0
            for other in near {
                product += (numbers[other] - meanNumber) * (beats[other] - meanTime)
                square += (numbers[other] - meanNumber) * (numbers[other] - meanNumber)
            }
            return TempoPoint(time: beats[index], bpm: Tempo.beatsPerMinute(of: square, in: max(product, 1e-9)))
        }
    }

    /// Keeps the points without which the rest would be too far from straight lines (Douglas & Peucker, *Algorithms for
    /// the reduction of the number of points required to represent a digitized line*, 1973).
    private static func simplify(_ points: [TempoPoint], _ range: Range<Int>, into kept: inout IndexSet) {
        var pending = [range]
        while let range = pending.popLast() {
            guard range.count > 2 else { continue }
            let (first, last) = (points[range.lowerBound], points[range.upperBound - 1])
            let slope = (last.bpm - first.bpm) / max(1e-9, last.time - first.time)
            func distance(_ index: Int) -> Double {
                abs(points[index].bpm - first.bpm - slope * (points[index].time - first.time)) / points[index].bpm
            }
            guard let worst = range.dropFirst().dropLast().max(by: { distance($0) < distance($1) }),
                distance(worst) > tolerance
            else { continue }
            kept.insert(worst)
            pending += [range.lowerBound..<worst + 1, worst..<range.upperBound]
        }
    }
}
