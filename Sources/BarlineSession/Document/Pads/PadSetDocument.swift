/// What the pads of a session have in common: their strip of the mixer.
public struct PadSetDocument: Hashable, Sendable, StripDocument {
    /// The fader in dB.
    public var gain = 0.0
    /// The balance, −1 … 1.
    public var pan = 0.0
    /// Whether they are muted.
    public var mute = false
    /// Whether they are soloed.
    public var solo = false
    /// The output pair they go to.
    public var output = TrackDocument.mainOutput
    /// Their effects, before the fader.
    public var effects: [EffectDocument] = []
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// As loud as they are, in the middle.
    public init() {}
}

extension PadSetDocument: KeyedDocument {
    static var standard: PadSetDocument { PadSetDocument() }

    static let keys: [DocumentKey<PadSetDocument>] = [
        .standard("gain", \.gain, .gain, as: .missing), .standard("pan", \.pan, .pan, as: .missing),
        .standard("mute", \.mute, .flag, as: .missing), .standard("solo", \.solo, .flag, as: .missing),
        .standard("output", \.output, .text, "any other name makes another output pair", as: .missing),
        .list("effects", \.effects, .effect, as: .missing),
    ]

    /// What differs from the usual settings.
    var json: [String: JSONValue] { values }
}
