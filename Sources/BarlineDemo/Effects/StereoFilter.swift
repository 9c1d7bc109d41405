/// The same filter on both channels.
struct StereoFilter: Sendable {
    private var left: StateVariableFilter
    private var right: StateVariableFilter

    /// A pair for a canvas of `rate` frames a second.
    init(rate: Double, cutoff: Double, quality: Double = 0.707) {
        left = StateVariableFilter(rate: rate, cutoff: cutoff, quality: quality)
        right = left
    }

    /// Moves the cutoff and the resonance of both.
    mutating func set(cutoff: Double, quality: Double) {
        left.set(cutoff: cutoff, quality: quality)
        right.set(cutoff: cutoff, quality: quality)
    }

    /// Keeps what lies below the cutoff.
    mutating func low(_ frame: StereoSample) -> StereoSample { StereoSample(left.low(frame.x), right.low(frame.y)) }

    /// Keeps what lies above the cutoff.
    mutating func high(_ frame: StereoSample) -> StereoSample { StereoSample(left.high(frame.x), right.high(frame.y)) }
}
