import BarlineDSP
import BarlineEngine

/// The metronome of a session.
public struct MetronomeDocument: Hashable, Sendable {
    /// The sound of a click.
    public enum Sound: String, Hashable, Sendable, CaseIterable {
        /// A sine burst.
        case sine
        /// A block of wood.
        case woodblock
        /// Noise.
        case noise
    }

    /// Whether it plays.
    public var isEnabled = false
    /// The fader in dB.
    public var gain = 0.0
    /// The accent's frequency in hertz.
    public var accentFrequency = ClickSounds.standard.accentFrequency
    /// The beat's frequency in hertz.
    public var beatFrequency = ClickSounds.standard.beatFrequency
    /// The accent's amplitude, 0 … 1.
    public var accentLevel = ClickSounds.standard.accentLevel
    /// The beat's amplitude, 0 … 1.
    public var beatLevel = ClickSounds.standard.beatLevel
    /// The sound of a click.
    public var sound = Sound.sine
    /// An audio file to play instead, relative to the session's folder.
    public var file: String?
    /// The pulses that are accented, played and silent.
    public var pattern = MetronomeSettings.standard.pattern
    /// Clicks a pulse, 1 … 4.
    public var subdivision = MetronomeSettings.standard.subdivision
    /// The position of the second of two subdivisions, in per cent of the pair: 50 … 75.
    public var swing = 100 * MetronomeSettings.standard.swing
    /// The number of bars of count-in, 0 … 16.
    public var countIn = MetronomeSettings.standard.countInBars
    /// Its output pair.
    public var output = TrackDocument.mainOutput
    /// Its effects, before the fader.
    public var effects: [EffectDocument] = []
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a metronome that is off.
    public init() {}

    /// The settings of the engine's metronome.
    public var settings: MetronomeSettings {
        MetronomeSettings(
            isEnabled: isEnabled, pattern: pattern, subdivision: subdivision, swing: swing / 100, countInBars: countIn)
    }

    /// Whether its clicks are those of `other`.
    func hasSound(of other: MetronomeDocument) -> Bool {
        (sound, file, accentFrequency, beatFrequency) == (
            other.sound, other.file, other.accentFrequency, other.beatFrequency
        ) && (accentLevel, beatLevel) == (other.accentLevel, other.beatLevel)
    }

    /// How it sounds, with the decoded samples of its file, where it has one.
    func sounds(_ samples: SampleBuffer?) -> ClickSounds {
        let source: ClickSounds.Source =
            switch (samples, sound) {
            case (let samples?, _): .samples(samples)
            case (nil, .sine): .sine
            case (nil, .woodblock): .woodblock
            case (nil, .noise): .noise
            }
        return ClickSounds(
            source: source, accentFrequency: accentFrequency, beatFrequency: beatFrequency, accentLevel: accentLevel,
            beatLevel: beatLevel)
    }
}

extension MetronomeDocument: KeyedDocument {
    static var standard: MetronomeDocument { MetronomeDocument() }

    static let keys: [DocumentKey<MetronomeDocument>] = [
        .standard("enabled", \.isEnabled, .flag), .standard("gain", \.gain, .gain),
        .standard("accentFrequency", \.accentFrequency, .frequency),
        .standard("beatFrequency", \.beatFrequency, .frequency),
        .standard("accentLevel", \.accentLevel, .level), .standard("beatLevel", \.beatLevel, .level),
        .standard("sound", \.sound, ValueType<Sound>.word),
        .optional("file", \.file, .text, "an audio file that replaces the sound"),
        .standard(
            "pattern", \.pattern, .accents,
            "one character a pulse: `X` accent, `x` beat, `.` silence; `null` accents the first", as: .null),
        .standard("subdivision", \.subdivision, .whole(MetronomeSettings.subdivisionRange), "clicks a pulse"),
        .standard("swing", \.swing, .swing, "where the second of two clicks is"),
        .standard(
            "countIn", \.countIn, .whole(MetronomeSettings.countInRange),
            "bars that click before beat 0, and until stems on the grid come in, also where the metronome is off"),
        .standard("output", \.output, .text, "any other name makes another output pair"),
        .list("effects", \.effects, .effect, as: .missing),
    ]

    var json: JSONValue { .object(values) }
}

extension ValueType where Value == Double {
    fileprivate static var frequency: ValueType {
        number("a frequency in hertz from 20 to 20000", ClickSounds.frequencyRange, unit: "Hz")
    }

    fileprivate static var level: ValueType { number("a level from 0 to 1", ClickSounds.levelRange) }
}
