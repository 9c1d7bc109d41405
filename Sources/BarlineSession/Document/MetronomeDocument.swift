import BarlineDSP
import BarlineEngine

/// The metronome of a session.
public struct MetronomeDocument: Hashable, Sendable {
    /// What makes a click.
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
    public var accentFrequency = 1200.0
    /// The beat's frequency in hertz.
    public var beatFrequency = 800.0
    /// The accent's amplitude, 0 … 1.
    public var accentLevel = 0.9
    /// The beat's amplitude, 0 … 1.
    public var beatLevel = 0.6
    /// What makes a click.
    public var sound = Sound.sine
    /// An audio file that is played instead, relative to the session's folder.
    public var file: String?
    /// Which pulses are accented, played and left out.
    public var pattern = AccentPattern.downbeat
    /// Clicks a pulse, 1 … 4.
    public var subdivision = 1
    /// Where the second of two subdivisions is, in per cent of the pair: 50 … 75.
    public var swing = 50.0
    /// The bars that are counted in, 0 … 16.
    public var countIn = 0
    /// The output pair it goes to.
    public var output = TrackDocument.mainOutput
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// A metronome that is off.
    public init() {}

    /// What the engine's metronome plays.
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

extension MetronomeDocument {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        isEnabled = try reader.bool("enabled", default: false)
        gain = try reader.gain("gain")
        accentFrequency = try reader.frequency("accentFrequency") ?? accentFrequency
        beatFrequency = try reader.frequency("beatFrequency") ?? beatFrequency
        accentLevel = try reader.level("accentLevel") ?? accentLevel
        beatLevel = try reader.level("beatLevel") ?? beatLevel
        sound = try reader.word("sound", default: .sine)
        file = try reader.string("file")
        pattern = try reader.accentPattern("pattern") ?? .downbeat
        subdivision = try reader.integer("subdivision", within: MetronomeSettings.subdivisionRange) ?? 1
        swing = try reader.swing("swing") ?? 50
        countIn = try reader.integer("countIn", within: MetronomeSettings.countInRange) ?? 0
        output = try reader.string("output") ?? TrackDocument.mainOutput
        rest = reader.rest
    }

    var json: JSONValue {
        var values = rest
        values["enabled"] = .bool(isEnabled)
        values["gain"] = .gain(gain)
        values["accentFrequency"] = .number(accentFrequency)
        values["beatFrequency"] = .number(beatFrequency)
        values["accentLevel"] = .number(accentLevel)
        values["beatLevel"] = .number(beatLevel)
        values["sound"] = .string(sound.rawValue)
        values["file"] = file.map(JSONValue.string) ?? .null
        values["pattern"] = pattern == .downbeat ? .null : .string(pattern.description)
        values["subdivision"] = .number(Double(subdivision))
        values["swing"] = .number(swing)
        values["countIn"] = .number(Double(countIn))
        values["output"] = .string(output)
        return .object(values)
    }
}

extension ObjectReader {
    mutating func accentPattern(_ name: String) throws(SessionError) -> AccentPattern? {
        guard let text = try string(name) else { return nil }
        guard let value = AccentPattern(text) else {
            throw error(name, expected: "a pattern like \"X.x.\": X an accent, x a beat, . silence, at most 64 pulses")
        }
        return value
    }

    /// Per cent of a pair of subdivisions.
    mutating func swing(_ name: String) throws(SessionError) -> Double? {
        try number(name, "a number from 50 to 75") { MetronomeSettings.swingRange.contains($0 / 100) }
    }

    mutating func integer(_ name: String, within range: ClosedRange<Int>) throws(SessionError) -> Int? {
        try number(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0 == $0.rounded() && Double(range.lowerBound) <= $0 && $0 <= Double(range.upperBound)
        }.map { Int($0) }
    }

    fileprivate mutating func frequency(_ name: String) throws(SessionError) -> Double? {
        try number(name, "a frequency in hertz from 20 to 20000") { ClickSounds.frequencyRange.contains($0) }
    }

    fileprivate mutating func level(_ name: String) throws(SessionError) -> Double? {
        try number(name, "a level from 0 to 1") { ClickSounds.levelRange.contains($0) }
    }
}
