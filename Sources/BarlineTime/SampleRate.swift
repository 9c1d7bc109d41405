/// A sample rate in hertz, within ``range``.
public struct SampleRate: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The range of sample rates, in hertz.
    public static let range: ClosedRange<Double> = 8_000...192_000

    /// Frames per second.
    public let hertz: Double

    /// 48 000 Hz.
    public static let standard = SampleRate(unchecked: 48_000)

    /// Creates a sample rate, or `nil` if `hertz` is outside ``range`` or NaN.
    public init?(_ hertz: Double) {
        guard SampleRate.range.contains(hertz) else { return nil }
        self.hertz = hertz
    }

    /// Creates a sample rate that is known to be within ``range``.
    @_noLocks @inlinable package init(unchecked hertz: Double) { self.hertz = hertz }

    /// Whether `left` is smaller.
    public static func < (left: SampleRate, right: SampleRate) -> Bool { left.hertz < right.hertz }

    /// The number of whole frames nearest to a span of `seconds`.
    @_noLocks @inlinable public func frames(seconds: Double) -> Int64 { FrameRounding.nearest(seconds * hertz) }

    /// The span of `frames` frames in seconds.
    @_noLocks @inlinable public func seconds(frames: Int64) -> Double { Double(frames) / hertz }
}

extension SampleRate: CustomStringConvertible {
    /// The sample rate as text.
    public var description: String { "\(hertz) Hz" }
}
