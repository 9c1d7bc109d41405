/// The onset strength of a sound over time, in four bands: 100 values a second.
struct OnsetEnvelope: Sendable {
    /// Values a second.
    static let rate = 100.0

    /// The strengths by ``OnsetBand``.
    var bands: [[Float]] = Array(repeating: [], count: OnsetBand.allCases.count)
    /// The power of the sound, relative to its loudest.
    var power: [Float] = []

    /// The pitch classes that sound, 20 values a second; the first twelve elements count.
    var chroma: [SIMD16<Float>] = []

    /// Values of ``power`` for one of ``chroma``.
    static let chromaStep = 5

    /// How many values there are.
    var count: Int { power.count }

    /// The strength over all bands.
    var total: [Float] = []
    /// Where something begins, to the millisecond.
    var onsets: [Onset] = []
    /// What the beat network detects.
    var activity = BeatActivity.none

    /// The beginning of a sound.
    struct Onset: Sendable {
        /// In seconds.
        var time: Double
        /// The strength over all bands.
        let strength: Float
    }

    subscript(band: OnsetBand) -> [Float] { bands[band.rawValue] }
}
