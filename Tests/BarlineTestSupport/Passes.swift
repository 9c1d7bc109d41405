import Foundation

/// The onsets of a loop, pass by pass.
package struct Passes {
    /// Beats from the pass's start, in every pass.
    package let phases: [[Double]]

    /// How far the onsets of a pass are from those of the first one.
    package struct Deviation {
        /// The median distance in milliseconds, without its sign.
        package let median: Double
        /// The share of the pass's onsets that the first one has too.
        package let matched: Double
    }

    /// Sorts onsets into passes of `beats` beats from beat 0 on; the last pass ends at `end`.
    package init(onsets: [Int], beats: Double, end: Double, tempo: TempoModel) {
        var phases = [[Double]](repeating: [], count: Int(end / beats))
        for onset in onsets {
            // An onset on the boundary may be found a little before it.
            let beat = tempo.beat(at: Double(onset) + 96)
            let pass = Int((beat / beats).rounded(.down))
            guard beat >= 0, phases.indices.contains(pass) else { continue }
            phases[pass].append(tempo.beat(at: Double(onset)) - Double(pass) * beats)
        }
        self.phases = phases
    }

    /// Compares pass `index` with the first one; distances above 20 ms are no matches.
    package func deviation(of index: Int, beats: Double, tempo: TempoModel) -> Deviation {
        let first = phases[0]
        var distances: [Double] = []
        for phase in phases[index] {
            let nearest = first.map { abs($0 - phase) }.min() ?? .infinity
            let bpm = tempo.bpm(at: Double(index) * beats + phase)
            let milliseconds = nearest * 60_000 / bpm
            if milliseconds < 20 { distances.append(milliseconds) }
        }
        let matched = phases[index].isEmpty ? 0 : Double(distances.count) / Double(phases[index].count)
        return Deviation(median: Passes.median(distances), matched: matched)
    }

    /// The middle value; infinite where there is none.
    package static func median(_ values: [Double]) -> Double {
        values.isEmpty ? .infinity : values.sorted()[values.count / 2]
    }
}
