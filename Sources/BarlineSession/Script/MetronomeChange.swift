import BarlineEngine

/// A change of the metronome; `nil` keeps a setting.
public struct MetronomeChange: Hashable, Sendable {
    /// Whether it plays.
    public var isOn: Bool?
    /// Its fader in dB; minus infinity is silence.
    public var gain: Double?
    /// The pulses that are accented, played and silent.
    public var pattern: AccentPattern?
    /// Clicks a pulse, 1 … 4.
    public var subdivision: Int?
    /// The position of the second of two subdivisions, in per cent of the pair: 50 … 75.
    public var swing: Double?

    /// Creates a change that turns the metronome on or off, or does neither.
    public init(isOn: Bool? = nil) { self.isOn = isOn }
}

extension MetronomeChange {
    /// How it is asked for.
    static let form = Form<ScriptAction>(
        needsOne: ("on", expected: "true or false, or another setting of the metronome"),
        .optional("on", .onOff), .optional("gain", .gain), .optional("pattern", .accents),
        .optional("subdivision", .whole(MetronomeSettings.subdivisionRange), "clicks a pulse"),
        .optional("swing", .swing, "where the second of two clicks is"),
        make: { isOn, gain, pattern, subdivision, swing in
            var change = MetronomeChange(isOn: isOn)
            (change.gain, change.pattern, change.subdivision, change.swing) = (gain, pattern, subdivision, swing)
            return .metronome(change)
        },
        match: { action in
            guard case .metronome(let change) = action else { return nil }
            return (change.isOn, change.gain, change.pattern, change.subdivision, change.swing)
        })
}
