import BarlineEngine

/// How a session's playlist goes on, and how loud it is.
public struct PlaylistSettings: Hashable, Sendable {
    /// What comes again.
    public var `repeat` = PlaylistModes.Repeat.off
    /// Whether items come in random order.
    public var isShuffled = false
    /// Whether playing ends after each item.
    public var isSingle = false
    /// Whether items leave the list when they have been played.
    public var consumes = false
    /// The length of crossfades in seconds.
    public var crossfade = 0.0
    /// The playlist's fader, in dB.
    public var gain = 0.0
    /// The output pair it goes to.
    public var output = TrackDocument.mainOutput
    /// Its effects, before the fader.
    public var effects: [EffectDocument] = []
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// From front to back, once, without a gap.
    public init() {}

    /// Keeps what an action sets.
    mutating func keep(_ action: PlaylistAction) {
        switch action {
        case .repeat(let value): `repeat` = value
        case .shuffle(let isOn, _): isShuffled = isOn
        case .single(let isOn): isSingle = isOn
        case .consume(let isOn): consumes = isOn
        case .crossfade(let seconds): crossfade = seconds
        case .gain(let db): gain = db
        default: break
        }
    }
}

extension PlaylistSettings: KeyedDocument {
    static var standard: PlaylistSettings { PlaylistSettings() }

    static let keys: [DocumentKey<PlaylistSettings>] = [
        .standard("repeat", \.repeat, ValueType<PlaylistModes.Repeat>.word, as: .missing),
        .standard("shuffle", \.isShuffled, .flag, "in the same order each time it is loaded", as: .missing),
        .standard("single", \.isSingle, .flag, "whether playing ends after each item", as: .missing),
        .standard(
            "consume", \.consumes, .flag, "whether items leave the list when they have been played", as: .missing),
        .standard("crossfade", \.crossfade, .crossfade, as: .missing),
        .standard("gain", \.gain, .gain, as: .missing),
        .standard("output", \.output, .text, "any other name makes another output pair", as: .missing),
        .list("effects", \.effects, .effect, as: .missing),
    ]

    /// What differs from the usual settings.
    var json: [String: JSONValue] { values }
}

extension SessionPlaylist {
    /// Plays as `settings` say, where they are others than `old`.
    func apply(_ settings: PlaylistSettings, over old: PlaylistSettings) throws(EngineError) {
        var modes = player.modes
        if settings.repeat != old.repeat { modes.repeat = settings.repeat }
        if settings.isSingle != old.isSingle { modes.isSingle = settings.isSingle }
        if settings.consumes != old.consumes { modes.consumes = settings.consumes }
        if modes != player.modes { player.modes = modes }
        if settings.isShuffled != old.isShuffled {
            // The same order each time: what is rendered must follow from the session alone.
            player.setShuffle(settings.isShuffled, seed: 0)
        }
        if settings.crossfade != old.crossfade { player.crossfade = settings.crossfade }
        if settings.gain != old.gain { try setGain(settings.gain) }
    }
}
