import BarlineDSP
import BarlineTime
import CRealtime

/// A second-order filter whose low-pass, band-pass, high-pass and notch come from one state, stable while its cutoff
/// moves: the analogue state-variable filter with each integrator replaced by a zero-delay trapezoidal one (V.
/// Zavalishin, "The Art of VA Filter Design", 2018, chapter 4; A. Simper, "Linear Trapezoidal Integrated State Variable
/// Filter", 2013).
///
/// Its response at a frequency f is that of the analogue prototype at tan(π f / R) / tan(π c / R), for a cutoff c and a
/// sample rate R. The band-pass has a gain of 1 at the cutoff. While a parameter ramps, coefficients are computed at
/// the ends of blocks of ``EffectBlock/frameCount`` that are fixed on the timeline, and interpolated linearly between.
struct StateVariableFilter: Effect {
    private var cutoff: Parameter
    private var resonance: Parameter
    /// The gain of each of its outputs.
    private var lowShare: Ramp
    private var bandShare: Ramp
    private var highShare: Ramp
    private var sampleRate: Double
    /// The coefficients of settled parameters.
    private var steady = FilterCoefficients(gain: 1, damping: 1)
    private var isSteady = false
    private var left = FilterState()
    private var right = FilterState()
    /// The number of latest input frames that were silent, counted up to two blocks.
    private var quietFrames = 0

    /// The response of the filter.
    private enum Mode: BitwiseCopyable, CaseIterable {
        case lowpass
        case highpass
        case bandpass
        case notch

        /// The mode of a parameter value; the first one if the value is invalid.
        @_noLocks init(value: Double) {
            switch Int(value) {
            case 1: self = .highpass
            case 2: self = .bandpass
            case 3: self = .notch
            default: self = .lowpass
            }
        }

        var title: String {
            switch self {
            case .lowpass: "Low-pass"
            case .highpass: "High-pass"
            case .bandpass: "Band-pass"
            case .notch: "Notch"
            }
        }
    }

    static let title = "Filter"

    static let parameters = [
        ParameterDescription("cutoff", titled: "Cutoff", .hertz, in: 20...20_000, initially: 1_000),
        ParameterDescription("resonance", titled: "Resonance", .quality, in: 0.5...20, initially: 0.707),
        ParameterDescription("mode", titled: "Mode", words: Mode.allCases.map { ("\($0)", $0.title) }),
    ]

    static func latencyFrames(at sampleRate: SampleRate) -> Int { 0 }

    init(_ values: [Double], sampleRate: SampleRate) {
        cutoff = Parameter(values[0], of: .frequency)
        resonance = Parameter(values[1], of: .frequency)
        lowShare = Ramp(constant: StateVariableFilter.lowShare(of: Mode(value: values[2])))
        bandShare = Ramp(constant: StateVariableFilter.bandShare(of: Mode(value: values[2])))
        highShare = Ramp(constant: StateVariableFilter.highShare(of: Mode(value: values[2])))
        self.sampleRate = sampleRate.hertz
    }

    func deallocate() {}

    @_noLocks mutating func run(_ request: EffectRequest) -> Bool {
        switch request {
        case .process(let signal, let start, let count):
            process(signal, from: start, count: count)
            return left.isAtRest && right.isAtRest && isSettled(at: start + Int64(count))
        case .set(let parameter, let target, let frame, let frames, let curve):
            set(parameter, to: target, at: frame, frames, curve)
        case .reset:
            left = FilterState()
            right = FilterState()
        case .prepare(let rate, let frame):
            stretch(at: frame, by: rate.hertz / sampleRate)
            sampleRate = rate.hertz
            isSteady = false
        case .checkInvariants: return checkInvariants()
        }
        return false
    }

    /// Whether the invariants hold: the outputs' gains are those of a mode, parameters are above 0, and the count of
    /// silent frames is bounded.
    @_noLocks private func checkInvariants() -> Bool {
        let shares = lowShare.target + bandShare.target + highShare.target
        return (shares == 1 || shares == 2 && bandShare.target == 0) && cutoff.checkInvariants() && cutoff.target > 0
            && resonance.checkInvariants() && resonance.target > 0 && quietFrames >= 0
            && quietFrames <= 2 * EffectBlock.frameCount
    }

    // MARK: Parameters

    @_noLocks private mutating func set(
        _ parameter: Int, to target: Double, at frame: FrameTime, _ frames: Int64, _ curve: Curve
    ) {
        switch parameter {
        case 0: cutoff.set(target, at: frame, frames: frames, curve)
        case 1: resonance.set(target, at: frame, frames: frames, curve)
        default:
            let mode = Mode(value: target)
            lowShare = lowShare.redirected(
                to: StateVariableFilter.lowShare(of: mode), at: frame, frames: frames)
            bandShare = bandShare.redirected(
                to: StateVariableFilter.bandShare(of: mode), at: frame, frames: frames)
            highShare = highShare.redirected(
                to: StateVariableFilter.highShare(of: mode), at: frame, frames: frames)
        }
        isSteady = false
    }

    @_noLocks private mutating func stretch(at frame: FrameTime, by ratio: Double) {
        cutoff.stretch(at: frame, by: ratio)
        resonance.stretch(at: frame, by: ratio)
        lowShare = lowShare.stretched(at: frame, by: ratio)
        bandShare = bandShare.stretched(at: frame, by: ratio)
        highShare = highShare.stretched(at: frame, by: ratio)
    }

    @_noLocks private func isSettled(at frame: FrameTime) -> Bool {
        cutoff.isSettled(at: frame) && resonance.isSettled(at: frame) && isMixSettled(at: frame)
    }

    @_noLocks private func isMixSettled(at frame: FrameTime) -> Bool {
        lowShare.isSettled(at: frame) && bandShare.isSettled(at: frame) && highShare.isSettled(at: frame)
    }

    @_noLocks private static func lowShare(of mode: Mode) -> Float {
        switch mode {
        case .lowpass, .notch: 1
        case .highpass, .bandpass: 0
        }
    }

    @_noLocks private static func bandShare(of mode: Mode) -> Float {
        switch mode {
        case .bandpass: 1
        case .lowpass, .highpass, .notch: 0
        }
    }

    @_noLocks private static func highShare(of mode: Mode) -> Float {
        switch mode {
        case .highpass, .notch: 1
        case .lowpass, .bandpass: 0
        }
    }

    /// The highest cutoff, as a fraction of the sample rate.
    private static var highestRatio: Double { @_noLocks get { 0.49 } }

    /// tan(π c / R). A cutoff too high for the sample rate is clamped slightly below half of it.
    @_noLocks private func gain(at frame: FrameTime) -> Double {
        let ratio = cutoff.value(at: frame) / sampleRate
        return rt_tan(.pi * (ratio < StateVariableFilter.highestRatio ? ratio : StateVariableFilter.highestRatio))
    }

    @_noLocks private func damping(at frame: FrameTime) -> Double { 1 / resonance.value(at: frame) }

    // MARK: Sound

    @_noLocks private mutating func process(_ signal: StereoBuffer, from start: FrameTime, count: Int) {
        let quiet = signal.silentFramesAtEnd(of: count)
        if quiet < count { quietFrames = 0 }
        quietFrames += quiet
        if quietFrames > 2 * EffectBlock.frameCount { quietFrames = 2 * EffectBlock.frameCount }
        if quiet == count, left.isAtRest, right.isAtRest { return }
        let block = EffectBlock.start(of: start)
        let areCoefficientsSettled = cutoff.isSettled(at: block) && resonance.isSettled(at: block)
        if areCoefficientsSettled, !isSteady {
            steady = FilterCoefficients(gain: gain(at: block), damping: damping(at: block))
            isSteady = true
        }
        if areCoefficientsSettled, isMixSettled(at: start) {
            processSteadily(signal, count: count)
        } else {
            processMoving(signal, from: start, block: block, count: count)
        }
        if start + Int64(count) == block + Int64(EffectBlock.frameCount) { flush() }
    }

    @_noLocks private mutating func processSteadily(_ signal: StereoBuffer, count: Int) {
        let low = Double(lowShare.target)
        let band = Double(bandShare.target)
        let high = Double(highShare.target)
        var left = self.left
        var right = self.right
        for frame in 0..<count {
            signal.left[frame] = left.next(signal.left[frame], steady, low: low, band: band, high: high)
            signal.right[frame] = right.next(signal.right[frame], steady, low: low, band: band, high: high)
        }
        self.left = left
        self.right = right
    }

    @_noLocks private mutating func processMoving(
        _ signal: StereoBuffer, from start: FrameTime, block: FrameTime, count: Int
    ) {
        let end = block + Int64(EffectBlock.frameCount)
        // A ramp that began within this block is a straight line from there on.
        let gainStart = cutoff.start > block ? cutoff.start : block
        let dampingStart = resonance.start > block ? resonance.start : block
        let firstGain = gain(at: gainStart)
        let firstDamping = damping(at: dampingStart)
        let gainStep = (gain(at: end) - firstGain) / Double(end - gainStart)
        let dampingStep = (damping(at: end) - firstDamping) / Double(end - dampingStart)
        for frame in 0..<count {
            let time = start + Int64(frame)
            let coefficients = FilterCoefficients(
                gain: firstGain + gainStep * Double(time - gainStart),
                damping: firstDamping + dampingStep * Double(time - dampingStart))
            let low = Double(lowShare.value(at: time))
            let band = Double(bandShare.value(at: time))
            let high = Double(highShare.value(at: time))
            signal.left[frame] = left.next(signal.left[frame], coefficients, low: low, band: band, high: high)
            signal.right[frame] = right.next(signal.right[frame], coefficients, low: low, band: band, high: high)
        }
    }

    /// At the end of a block: flushes inaudible state before it becomes denormal, which is slow to compute with; clears
    /// state that is not finite.
    @_noLocks private mutating func flush() {
        left.flush()
        right.flush()
        if quietFrames >= EffectBlock.frameCount, left.isInaudible, right.isInaudible {
            left = FilterState()
            right = FilterState()
        }
    }
}
