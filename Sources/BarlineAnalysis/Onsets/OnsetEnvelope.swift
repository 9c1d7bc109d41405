/// How strongly something begins, over time, in four bands: 100 values a second.
struct OnsetEnvelope: Sendable {
    /// Values a second.
    static let rate = 100.0

    /// The strengths by ``OnsetBand``.
    var bands: [[Float]] = Array(repeating: [], count: OnsetBand.allCases.count)
    /// The power of the sound, relative to its loudest.
    var power: [Float] = []

    /// How many values there are.
    var count: Int { power.count }

    /// The strength over all bands.
    var total: [Float] {
        (0..<count).map { index in bands.reduce(0) { $0 + $1[index] } }
    }

    subscript(band: OnsetBand) -> [Float] { bands[band.rawValue] }
}
