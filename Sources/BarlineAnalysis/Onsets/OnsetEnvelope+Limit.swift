import Foundation

extension OnsetEnvelope {
    /// The envelope without the excess of its few strongest peaks: what begins after silence rises in every band at
    /// once, and would hide all that follows.
    func limited() -> OnsetEnvelope {
        var limited = self
        limited.bands = bands.map { row in
            let level = 1.5 * OnsetEnvelope.typicalHeight(OnsetEnvelope.peaks(row).map { row[$0] })
            return level > 0 ? row.map { min($0, level) } : row
        }
        limited.total = (0..<count).map { index in limited.bands.reduce(0) { $0 + $1[index] } }
        return limited
    }

    /// A height that a tenth of the peaks exceed, and one of them at least where there are three.
    static func typicalHeight(_ heights: [Float]) -> Float {
        guard heights.count >= 3 else { return heights.max() ?? 0 }
        let sorted = heights.sorted(by: >)
        return sorted[max(1, sorted.count / 10)]
    }

    /// The indices of values that are the highest within 50 ms.
    static func peaks(_ row: [Float]) -> [Int] {
        row.indices.filter { index in
            let value = row[index]
            guard value > 0 else { return false }
            for other in max(0, index - 5)...min(row.count - 1, index + 5) {
                if row[other] > value || (row[other] == value && other < index) { return false }
            }
            return true
        }
    }
}
