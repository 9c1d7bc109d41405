/// The line on which a value moves to where it is sent.
public enum Curve: Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// The straight line of the value's own scale: amplitudes for faders, octaves for frequencies.
    case natural
    /// Equal differences in equal times: a straight line of amplitudes, or of hertz.
    case linear
    /// Equal ratios in equal times: a straight line of decibels, or octaves. Silence counts as −100 dB on the way.
    case exponential
    /// A straight line of the power, the square of the value: two faders that cross so leave the power of what they
    /// cross between as it is.
    case equalPower
}
