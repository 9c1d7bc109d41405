/// The bands in which onsets are distinguished.
enum OnsetBand: Int, CaseIterable, Sendable {
    /// Kick drum and bass.
    case low
    /// Toms, snare body, chords.
    case lowMiddle
    /// Snare, melody.
    case middle
    /// Hi-hats, cymbals, consonants of plucked strings.
    case high

    /// The highest frequency in hertz.
    var upperEdge: Double {
        switch self {
        case .low: 150
        case .lowMiddle: 600
        case .middle: 2400
        case .high: 16_000
        }
    }

    /// The band of a frequency in hertz.
    static func containing(_ frequency: Double) -> OnsetBand {
        allCases.first { frequency < $0.upperEdge } ?? .high
    }
}
