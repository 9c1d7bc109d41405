/// The mixer strip of a session's pads.
public struct PadSetDocument: Hashable, Sendable, StripDocument {
    /// The fader in dB.
    public var gain = 0.0
    /// The balance, −1 … 1.
    public var pan = 0.0
    /// Whether they are muted.
    public var mute = false
    /// Whether they are soloed.
    public var solo = false
    /// Their output pair.
    public var output = TrackDocument.mainOutput
    /// What goes to other outputs too.
    public var sends: [SendDocument] = []
    /// Their effects, before the fader.
    public var effects: [EffectDocument] = []
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a strip at 0 dB, in the centre.
    public init() {}
}

extension PadSetDocument: KeyedDocument {
    static var standard: PadSetDocument { PadSetDocument() }

    static let keys: [DocumentKey<PadSetDocument>] = [
        .standard("gain", \.gain, .gain, as: .missing), .standard("pan", \.pan, .pan, as: .missing),
        .standard("mute", \.mute, .flag, as: .missing), .standard("solo", \.solo, .flag, as: .missing),
        .standard("output", \.output, .text, "any other name makes another output pair", as: .missing),
        .list("sends", \.sends, .send, as: .missing),
        .list("effects", \.effects, .effect, as: .missing),
    ]

    /// What differs from the usual settings.
    var json: [String: JSONValue] { values }
}
