import BarlineDSP
import BarlineEngine

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
        if settings.gain != old.gain { try player.setGain(Decibels(settings.gain)) }
    }
}

extension PlaylistSettings {
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
