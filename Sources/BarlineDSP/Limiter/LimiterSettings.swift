/// The settings of a safety limiter.
public struct LimiterSettings: Hashable, Sendable {
    /// What a ceiling may be, in dBTP.
    public static let ceilingRange: ClosedRange<Double> = -24...0

    /// Whether it limits; where not, what it is given comes out as it is, as late as if it did.
    public var isOn: Bool
    /// The true peak that nothing exceeds, within ``ceilingRange``.
    public var ceiling: Decibels

    /// Creates settings; without parameters, those of ITU-R BS.1770 and EBU R 128: −1 dBTP.
    public init(isOn: Bool = true, ceiling: Decibels = Decibels(-1)) {
        self.isOn = isOn
        self.ceiling = ceiling
    }
}

/// The reading of a limiter, as amplitudes.
public struct LimiterReading: Hashable, Sendable, BitwiseCopyable {
    /// Samples over full scale that came in since the last reset.
    public var overCount: Int64
    /// The largest sample that came in since the last reset.
    public var peak: Float
    /// The lowest gain of the last block; 1 where nothing is held down.
    public var gain: Float
    /// The lowest gain since the last reset.
    public var lowestGain: Float

    /// A limiter that has had nothing to do.
    public static let idle = LimiterReading(overCount: 0, peak: 0, gain: 1, lowestGain: 1)

    /// Creates a reading.
    @_noLocks @inlinable package init(overCount: Int64, peak: Float, gain: Float, lowestGain: Float) {
        self.overCount = overCount
        self.peak = peak
        self.gain = gain
        self.lowestGain = lowestGain
    }
}
