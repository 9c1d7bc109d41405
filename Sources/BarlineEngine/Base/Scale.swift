import CRealtime

/// A scale of numbers on which a ``Curve`` is a straight line. For the audio thread.
enum Scale: BitwiseCopyable, Sendable {
    case straight
    /// Logarithms to base 2.
    case logarithmic
    case squared
    /// The level in octaves (6 dB each) by which a pan attenuates a channel: below 0 the right one.
    case balanceLogarithmic
    /// The power that a pan takes from a channel: below 0 the right one.
    case balanceSquared

    /// The value that stands for silence on a logarithmic scale: −100 dB.
    private static var floor: Double { @_noLocks get { 1e-5 } }

    /// The scale of a curve, for a value whose own scale is `natural`.
    @_noLocks init(of curve: Curve, natural: Scale) {
        switch curve {
        case .natural: self = natural
        case .linear: self = .straight
        case .exponential: self = .logarithmic
        case .equalPower: self = .squared
        }
    }

    /// The scale of a curve of a pan.
    @_noLocks init(ofBalance curve: Curve) {
        switch curve {
        case .natural, .linear: self = .straight
        case .exponential: self = .balanceLogarithmic
        case .equalPower: self = .balanceSquared
        }
    }

    /// The position of `value` on the scale.
    @_noLocks func position(of value: Double) -> Double {
        switch self {
        case .straight: value
        case .logarithmic: rt_log2(value > Scale.floor ? value : Scale.floor)
        case .squared: value * value
        case .balanceLogarithmic: value < 0 ? -Scale.attenuation(1 + value) : Scale.attenuation(1 - value)
        case .balanceSquared: value < 0 ? (1 + value) * (1 + value) - 1 : 1 - (1 - value) * (1 - value)
        }
    }

    /// The attenuation to an amplitude of 0 … 1, in octaves.
    @_noLocks private static func attenuation(_ amplitude: Double) -> Double {
        -rt_log2(amplitude > floor ? amplitude : floor)
    }

    /// The value at a position on the scale.
    @_noLocks func value(at position: Double) -> Double {
        switch self {
        case .straight: position
        case .logarithmic: rt_exp2(position)
        case .squared: rt_sqrt(position > 0 ? position : 0)
        case .balanceLogarithmic: position < 0 ? rt_exp2(position) - 1 : 1 - rt_exp2(-position)
        case .balanceSquared:
            position < 0
                ? rt_sqrt(position > -1 ? 1 + position : 0) - 1 : 1 - rt_sqrt(position < 1 ? 1 - position : 0)
        }
    }
}
