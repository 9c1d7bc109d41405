import CRealtime

/// A level relative to unity gain, in decibels.
public struct Decibels: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The level in dB; minus infinity is silence.
    public let rawValue: Double

    /// 0 dB: the signal unchanged.
    public static let unity = Decibels(rawValue: 0)
    /// No signal at all.
    public static let silence = Decibels(rawValue: -.infinity)

    /// Creates a level of `rawValue` dB.
    @inlinable public init(rawValue: Double) { self.rawValue = rawValue }

    /// Creates a level of `decibels` dB.
    @inlinable public init(_ decibels: Double) { rawValue = decibels }

    /// Creates the level of an amplitude `gain`, 0 or more.
    public init(amplitude gain: Double) { rawValue = gain > 0 ? 20 * rt_log10(gain) : -.infinity }

    /// The factor by which the level multiplies an amplitude.
    public var amplitude: Double { rawValue == 0 ? 1 : rt_pow(10, rawValue / 20) }

    /// Whether `left` is smaller.
    @inlinable public static func < (left: Decibels, right: Decibels) -> Bool { left.rawValue < right.rawValue }
}

extension Decibels: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// A level of `decibels` dB.
    @inlinable public init(floatLiteral decibels: Double) { self.init(decibels) }

    /// A level of `decibels` dB.
    @inlinable public init(integerLiteral decibels: Int) { self.init(Double(decibels)) }
}
