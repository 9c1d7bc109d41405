/// A two-pole filter giving low, band and high outputs together, steady while its cutoff moves.
struct StateVariableFilter: Sendable {
    private var first = 0.0
    private var second = 0.0
    private var warped = 0.0
    private var damping = 0.0
    private var scale = 0.0
    private let rate: Double

    /// A filter for a canvas of `rate` frames a second; a `quality` of 0.707 is flat, more is resonant.
    init(rate: Double, cutoff: Double, quality: Double = 0.707) {
        self.rate = rate
        set(cutoff: cutoff, quality: quality)
    }

    /// Moves the cutoff (in hertz) and the resonance.
    mutating func set(cutoff: Double, quality: Double) {
        warped = Maths.tangent(Double.pi * min(max(cutoff, 10), rate * 0.45) / rate)
        damping = 1 / quality
        scale = 1 / (1 + warped * (warped + damping))
    }

    /// Filters one sample and keeps what lies below the cutoff.
    mutating func low(_ input: Double) -> Double { next(input).low }

    /// Filters one sample and keeps what lies around the cutoff, at unity gain on it.
    mutating func band(_ input: Double) -> Double { next(input).band * damping }

    /// Filters one sample and keeps what lies above the cutoff.
    mutating func high(_ input: Double) -> Double {
        let split = next(input)
        return input - damping * split.band - split.low
    }

    private mutating func next(_ input: Double) -> (low: Double, band: Double) {
        let band = scale * (first + warped * (input - second))
        let low = second + warped * band
        first = 2 * band - first
        second = 2 * low - second
        return (low, band)
    }
}
