/// The settings of a safety limiter.
public struct LimiterSettings: Hashable, Sendable {
    /// The range of ``ceiling``, in dBTP.
    public static let ceilingRange: ClosedRange<Double> = -24...0

    /// Whether it limits; when off, the input passes unchanged, with the same latency.
    public var isOn: Bool
    /// The true peak that the output does not exceed, within ``ceilingRange``.
    public var ceiling: Decibels

    /// Creates settings; without parameters, those of ITU-R BS.1770 and EBU R 128: −1 dBTP.
    public init(isOn: Bool = true, ceiling: Decibels = Decibels(-1)) {
        self.isOn = isOn
        self.ceiling = ceiling
    }
}

/// The reading of a limiter, as amplitudes.
public struct LimiterReading: Hashable, Sendable, BitwiseCopyable {
    /// Input samples over full scale since the last reset.
    public var overCount: Int64
    /// The largest input sample since the last reset.
    public var peak: Float
    /// The lowest gain of the last block; 1 if nothing was reduced.
    public var gain: Float
    /// The lowest gain since the last reset.
    public var lowestGain: Float

    /// The reading of a limiter that has not reduced anything.
    package static let idle = LimiterReading(overCount: 0, peak: 0, gain: 1, lowestGain: 1)

    /// Creates a reading.
    @_noLocks @inlinable package init(overCount: Int64, peak: Float, gain: Float, lowestGain: Float) {
        self.overCount = overCount
        self.peak = peak
        self.gain = gain
        self.lowestGain = lowestGain
    }
}
