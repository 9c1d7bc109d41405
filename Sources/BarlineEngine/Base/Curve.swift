/// The curve along which a value ramps to its target.
public enum Curve: Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// A straight line on the value's own scale: amplitudes for faders, octaves for frequencies, the amplitude of the
    /// channel that is attenuated for pan.
    case natural
    /// Equal differences in equal times: a straight line of amplitudes, or of hertz.
    case linear
    /// Equal ratios in equal times: a straight line of decibels, or octaves; for pan, of the decibels of the channel
    /// that is attenuated. Silence counts as −100 dB within the ramp.
    case exponential
    /// A straight line of the power, the square of the value: of two faders that crossfade this way, the power is
    /// constant. For pan, the power of the channel that is attenuated.
    case equalPower
}
