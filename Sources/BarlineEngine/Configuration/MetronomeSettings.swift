/// The settings of a metronome: what it plays. How it sounds is set by ``ClickSounds``.
public struct MetronomeSettings: Hashable, Sendable, BitwiseCopyable {
    /// The range of ``subdivision``.
    public static let subdivisionRange = 1...4
    /// The range of ``swing``: from straight to dotted.
    public static let swingRange: ClosedRange<Double> = 0.5...0.75
    /// The range of ``countInBars``.
    public static let countInRange = 0...16

    /// The settings of a metronome that is given no others.
    package static let standard = MetronomeSettings()

    /// Whether it plays.
    public var isEnabled: Bool
    /// Which pulses are accented, played and left out.
    public var pattern: AccentPattern
    /// The number of clicks per pulse, within ``subdivisionRange``: with pulses of a quarter note, 2 are eighths, 3
    /// triplets, 4 sixteenths.
    public var subdivision: Int
    /// The position of the second of two subdivisions as a fraction of the pair, within ``swingRange``; no effect on
    /// triplets.
    public var swing: Double
    /// The number of count-in bars before beat 0 when the transport is started, within ``countInRange``. They click
    /// even while the metronome is off.
    public var countInBars: Int

    /// Creates settings; see the properties for what the parameters mean.
    public init(
        isEnabled: Bool = false, pattern: AccentPattern = .downbeat, subdivision: Int = 1, swing: Double = 0.5,
        countInBars: Int = 0
    ) {
        self.isEnabled = isEnabled
        self.pattern = pattern
        self.subdivision = subdivision
        self.swing = swing
        self.countInBars = countInBars
    }

    /// The position of click `index` within its pulse, as a fraction of the pulse.
    @_noLocks func place(ofSubdivision index: Int) -> Double {
        if subdivision % 2 != 0 || index % 2 == 0 { return Double(index) / Double(subdivision) }
        return (Double(index - 1) + 2 * swing) / Double(subdivision)
    }
}
