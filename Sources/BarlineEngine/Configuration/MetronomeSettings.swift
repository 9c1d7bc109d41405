/// The settings of a metronome: what it plays. Its sounds are ``ClickSounds``.
public struct MetronomeSettings: Hashable, Sendable, BitwiseCopyable {
    /// The clicks that a pulse may be divided into.
    public static let subdivisionRange = 1...4
    /// Where the second of two subdivisions may be, as a fraction of the pair: from straight to dotted.
    public static let swingRange: ClosedRange<Double> = 0.5...0.75
    /// The bars that may be counted in.
    public static let countInRange = 0...16

    /// Whether it plays.
    public var isEnabled: Bool
    /// Which pulses it accents, plays and leaves out.
    public var pattern: AccentPattern
    /// Clicks a pulse, within ``subdivisionRange``: with pulses of a quarter note, 2 are eighths, 3 triplets, 4
    /// sixteenths.
    public var subdivision: Int
    /// Where the second of two subdivisions is, within ``swingRange``; without effect on triplets.
    public var swing: Double
    /// The bars that are counted in before beat 0 when the transport is started, within ``countInRange``. They click
    /// even where the metronome is off.
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

    /// Where in its pulse click `index` is, as a fraction of the pulse.
    @_noLocks func place(ofSubdivision index: Int) -> Double {
        if subdivision % 2 != 0 || index % 2 == 0 { return Double(index) / Double(subdivision) }
        return (Double(index - 1) + 2 * swing) / Double(subdivision)
    }
}
