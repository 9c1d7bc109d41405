/// The coefficients of a state-variable filter.
struct FilterCoefficients: BitwiseCopyable {
    /// The band integrator's feedback coefficient, and that of the input.
    let keep: Double
    let intake: Double
    let through: Double
    let damping: Double

    /// `gain` is tan(π · cutoff / sample rate), `damping` the inverse of the quality.
    @_noLocks init(gain: Double, damping: Double) {
        self.damping = damping
        keep = 1 / (1 + gain * (gain + damping))
        intake = gain * keep
        through = gain * intake
    }
}

/// The state of a state-variable filter for one channel.
struct FilterState: BitwiseCopyable {
    private var band = 0.0
    private var low = 0.0

    /// Outputs below this are flushed to 0: a float's own denormals begin at 1e-38.
    private static var leastOutput: Double { @_noLocks get { 1e-30 } }
    /// −180 dB.
    private static var audible: Double { @_noLocks get { 1e-9 } }
    /// Residual state below this is far below the resolution of a float.
    private static var leastState: Double { @_noLocks get { 1e-18 } }

    @_noLocks init() {}

    /// Filters a sample and returns the weighted sum of its low, band and high outputs.
    @_noLocks mutating func next(
        _ sample: Float, _ coefficients: FilterCoefficients, low lowShare: Double, band bandShare: Double,
        high highShare: Double
    ) -> Float {
        let input = Double(sample)
        let difference = input - low
        let bandOutput = coefficients.keep * band + coefficients.intake * difference
        let lowOutput = low + coefficients.intake * band + coefficients.through * difference
        band = 2 * bandOutput - band
        low = 2 * lowOutput - low
        let damped = coefficients.damping * bandOutput
        let output = lowShare * lowOutput + bandShare * damped + highShare * (input - damped - lowOutput)
        return output < FilterState.leastOutput && output > -FilterState.leastOutput ? 0 : Float(output)
    }

    /// Whether silence would come out as silence.
    var isAtRest: Bool { @_noLocks get { band == 0 && low == 0 } }

    /// Whether the residual state is below −180 dB.
    var isInaudible: Bool {
        @_noLocks get {
            let least = FilterState.audible
            return band < least && band > -least && low < least && low > -least
        }
    }

    /// Clears a state that is far below a float's resolution, or not finite.
    @_noLocks mutating func flush() {
        if band < FilterState.leastState && band > -FilterState.leastState { band = 0 }
        if low < FilterState.leastState && low > -FilterState.leastState { low = 0 }
        // Infinity minus itself is NaN too.
        if band - band != 0 || low - low != 0 { self = FilterState() }
    }
}
