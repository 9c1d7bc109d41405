import CRealtime

/// A scale of numbers on which a ``Curve`` is a straight line. For the audio thread.
enum Scale: BitwiseCopyable, Sendable {
    case straight
    /// Logarithms to base 2.
    case logarithmic
    case squared

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

    /// The position of `value` on the scale; 0 or more unless the scale is straight.
    @_noLocks func position(of value: Double) -> Double {
        switch self {
        case .straight: value
        case .logarithmic: rt_log2(value > Scale.floor ? value : Scale.floor)
        case .squared: value * value
        }
    }

    /// The value at a position on the scale.
    @_noLocks func value(at position: Double) -> Double {
        switch self {
        case .straight: position
        case .logarithmic: rt_exp2(position)
        case .squared: rt_sqrt(position > 0 ? position : 0)
        }
    }
}
