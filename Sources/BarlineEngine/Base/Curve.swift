/// The curve along which a value ramps to its target.
public enum Curve: Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// A straight line on the value's own scale: amplitudes for faders, octaves for frequencies.
    case natural
    /// Equal differences in equal times: a straight line of amplitudes, or of hertz.
    case linear
    /// Equal ratios in equal times: a straight line of decibels, or octaves. Silence counts as −100 dB within the ramp.
    case exponential
    /// A straight line of the power, the square of the value: of two faders that crossfade this way, the power is
    /// constant.
    case equalPower
}
