import Foundation

/// Finds where an attack leaves what sounded before it.
struct AttackStart {
    /// The amplitude of the sound, and that of its slope, in cells of half a millisecond.
    private let levels: [[Float]]
    private let cell: Double
    private let count: Int

    /// Looks at samples at a rate in hertz.
    init(_ samples: [Float], sampleRate: Double) {
        cell = sampleRate / 2000
        let cells = Int(Double(samples.count) / cell)
        count = cells
        var sums = [[Float](repeating: 0, count: cells), [Float](repeating: 0, count: cells)]
        for index in 0..<cells {
            let first = max(1, Int(Double(index) * cell))
            let end = min(samples.count, Int(Double(index + 1) * cell))
            for frame in first..<max(first, end) {
                let slope = samples[frame] - samples[frame - 1]
                sums[0][index] += samples[frame] * samples[frame]
                sums[1][index] += slope * slope
            }
        }
        levels = sums
    }

    /// The first frame of the attack whose steepest rise is near `frame`; `nil` where nothing rises enough.
    func find(near frame: Int) -> Int? {
        let middle = Int(Double(frame) / cell)
        var first: Int?
        for levels in levels {
            guard let start = find(near: middle, in: levels) else { continue }
            first = min(first ?? start, start)
        }
        return first.map { Int(Double($0) * cell) }
    }

    private func find(near middle: Int, in levels: [Float]) -> Int? {
        // The loudest of the next 15 ms, and what there was from 50 to 25 ms before.
        let peak = highest(levels, middle - 4..<middle + 30)
        let floor = highest(levels, middle - 100..<middle - 50)
        let threshold = max(1.26 * floor, floor + 0.002 * (peak - floor), 1e-5 * peak)
        guard peak > threshold else { return nil }
        // Back from the rise to the last 4 ms of which nothing is above what there was before.
        var start = middle + 4
        let earliest = max(0, middle - 50)
        while start > earliest, highest(levels, start - 8..<start) > threshold { start -= 1 }
        if start == earliest, start > 0 { start = middle - 1 }
        while start < middle + 8, start < count, levels[start] <= threshold { start += 1 }
        let before = sum(levels, start - 20..<start)
        let after = sum(levels, start..<start + 20)
        return after >= 4 * before && after > 0 ? max(0, start - 2) : nil
    }

    private func highest(_ levels: [Float], _ range: Range<Int>) -> Float {
        levels[range.clamped(to: 0..<count)].max() ?? 0
    }

    private func sum(_ levels: [Float], _ range: Range<Int>) -> Float {
        levels[range.clamped(to: 0..<count)].reduce(0, +)
    }
}
