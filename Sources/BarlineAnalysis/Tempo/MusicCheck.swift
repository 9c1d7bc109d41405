import Foundation

/// Sounds in which no tempo is looked for.
enum MusicCheck {
    /// Why samples can't have a tempo, as far as that shows without an analysis.
    static func absence(_ samples: [Float], sampleRate: Double) -> TempoEstimate.Absence? {
        let highest = samples.reduce(Float(0)) { max($0, abs($1)) }
        if highest < 1e-4 { return .silence }
        let lowest = samples.reduce(Float.infinity) { min($0, $1) }
        let top = samples.reduce(-Float.infinity) { max($0, $1) }
        // A constant is silence to the ear.
        if top - lowest < 1e-4 { return .silence }
        return Double(samples.count) < 0.4 * sampleRate ? .tooShort : nil
    }
}
