#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few transcendental functions the synthesis needs, gathered so that one file alone touches the C library.
enum Maths {
    /// The sine of an angle given in turns, which is how every oscillator counts phase.
    static func sine(turns: Double) -> Double { sin(turns * 2 * Double.pi) }

    /// The cosine of an angle given in turns.
    static func cosine(turns: Double) -> Double { cos(turns * 2 * Double.pi) }

    /// The tangent of an angle in radians, for prewarping filter cutoffs.
    static func tangent(_ radians: Double) -> Double { tan(radians) }

    /// e raised to `exponent`.
    static func exponential(_ exponent: Double) -> Double { exp(exponent) }

    /// How many octaves a frequency ratio spans.
    static func log2(_ ratio: Double) -> Double { log(ratio) / log(2) }

    /// Two raised to `exponent`: octaves to a frequency ratio.
    static func octaves(_ exponent: Double) -> Double { exp2(exponent) }

    /// A level in decibels as a linear gain.
    static func gain(decibels: Double) -> Double { pow(10, decibels / 20) }

    /// The frequency of a MIDI note number with A4 (69) at 440 Hz.
    static func hertz(_ pitch: Double) -> Double { 440 * exp2((pitch - 69) / 12) }

    /// A rational stand-in for tanh: within 3 % of it, monotonic, and cheap enough to run on every sample.
    static func softClip(_ input: Double) -> Double {
        let limited = min(3, max(-3, input))
        let square = limited * limited
        return limited * (27 + square) / (27 + 9 * square)
    }

    /// Eases from 0 to 1 as `position` goes from 0 to 1, flat at both ends.
    static func smooth(_ position: Double) -> Double {
        let limited = min(1, max(0, position))
        return limited * limited * (3 - 2 * limited)
    }
}
