import BarlineEngine

/// What an action changes of the metronome; what is `nil` stays as it is.
public struct MetronomeChange: Hashable, Sendable {
    /// Whether it plays.
    public var isOn: Bool?
    /// Its fader in dB; minus infinity is silence.
    public var gain: Double?
    /// Which pulses are accented, played and left out.
    public var pattern: AccentPattern?
    /// Clicks a pulse, 1 … 4.
    public var subdivision: Int?
    /// Where the second of two subdivisions is, in per cent of the pair: 50 … 75.
    public var swing: Double?

    /// A change that turns the metronome on or off, or leaves that as it is.
    public init(isOn: Bool? = nil) { self.isOn = isOn }
}

extension MetronomeChange {
    init(_ reader: inout ObjectReader) throws(SessionError) {
        if reader.has("on") { isOn = try reader.bool("on", default: true) }
        if reader.has("gain") { gain = try reader.gain("gain") }
        pattern = try reader.accentPattern("pattern")
        subdivision = try reader.integer("subdivision", within: MetronomeSettings.subdivisionRange)
        swing = try reader.swing("swing")
        if self == MetronomeChange() {
            throw reader.error("on", expected: "true or false, or another setting of the metronome")
        }
    }

    var json: [String: JSONValue] {
        var values: [String: JSONValue] = ["do": "metronome"]
        if let isOn { values["on"] = .bool(isOn) }
        if let gain { values["gain"] = .gain(gain) }
        if let pattern { values["pattern"] = .string(pattern.description) }
        if let subdivision { values["subdivision"] = .number(Double(subdivision)) }
        if let swing { values["swing"] = .number(swing) }
        return values
    }
}
