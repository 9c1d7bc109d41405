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

extension PlaylistSettings {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        `repeat` = try reader.word("repeat", default: .off)
        isShuffled = try reader.bool("shuffle", default: false)
        isSingle = try reader.bool("single", default: false)
        consumes = try reader.bool("consume", default: false)
        let range = 0...PlaylistAction.longestCrossfade
        let expected = "seconds from 0 to \(Int(PlaylistAction.longestCrossfade))"
        crossfade = try reader.number("crossfade", expected) { range.contains($0) } ?? 0
        gain = try reader.gain("gain")
        output = try reader.string("output") ?? TrackDocument.mainOutput
        rest = reader.rest
    }

    /// What differs from the usual settings.
    var json: [String: JSONValue] {
        var values = rest
        if `repeat` != .off { values["repeat"] = .string(`repeat`.rawValue) }
        if isShuffled { values["shuffle"] = true }
        if isSingle { values["single"] = true }
        if consumes { values["consume"] = true }
        if crossfade > 0 { values["crossfade"] = .number(crossfade) }
        if gain != 0 { values["gain"] = .gain(gain) }
        if output != TrackDocument.mainOutput { values["output"] = .string(output) }
        return values
    }
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
