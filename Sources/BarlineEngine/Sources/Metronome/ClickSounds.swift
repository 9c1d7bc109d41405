import BarlineDSP

/// The sounds of a metronome.
public struct ClickSounds: Sendable {
    /// The source of a click's sound.
    public enum Source: Sendable {
        /// A sine burst: `level · sin(2π · frequency · t) · exp(−30 t)`, 100 ms long.
        case sine
        /// A woodblock, tuned to the frequencies.
        case woodblock
        /// Noise around the frequencies.
        case noise
        /// Recorded samples, played at the levels; the frequencies have no effect.
        case samples(SampleBuffer)
    }

    /// The range of click frequencies, in hertz.
    public static let frequencyRange: ClosedRange<Double> = 20...20_000
    /// The range of click levels.
    public static let levelRange: ClosedRange<Double> = 0...1

    /// The sounds of a metronome that is given no others.
    package static let standard = ClickSounds()

    /// The source of the sounds.
    public var source: Source
    /// The accent's frequency in hertz, within ``frequencyRange`` and below half the sample rate.
    public var accentFrequency: Double
    /// The beat's frequency in hertz, within ``frequencyRange`` and below half the sample rate.
    public var beatFrequency: Double
    /// The accent's amplitude, within ``levelRange``.
    public var accentLevel: Double
    /// The beat's amplitude, within ``levelRange``; subdivisions have half of that.
    public var beatLevel: Double

    /// Creates sounds; see the properties for what the parameters mean.
    public init(
        source: Source = .sine, accentFrequency: Double = 1200, beatFrequency: Double = 800, accentLevel: Double = 0.9,
        beatLevel: Double = 0.6
    ) {
        self.source = source
        self.accentFrequency = accentFrequency
        self.beatFrequency = beatFrequency
        self.accentLevel = accentLevel
        self.beatLevel = beatLevel
    }
}
