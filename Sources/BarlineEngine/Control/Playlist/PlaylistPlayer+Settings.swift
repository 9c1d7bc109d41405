import BarlineDSP
import BarlineTime

/// How a list goes on, and how loud it is.
extension PlaylistPlayer {
    /// Repeat and shuffle modes.
    public var modes: PlaylistModes {
        get { control.withLock { $0.queue.modes } }
        set {
            edit("how it goes on is \(newValue)") { state in
                takeBack(&state)
                state.queue.setModes(newValue)
            }
        }
    }

    /// Turns shuffle on, in an order determined by `seed`, or off.
    ///
    /// - Complexity: O(*n*) in the items of the list.
    public func setShuffle(_ isOn: Bool, seed: UInt64) {
        edit(isOn ? "a shuffle is turned on, with seed \(seed)" : "the shuffle is turned off") { state in
            takeBack(&state)
            state.queue.setShuffle(isOn, seed: seed)
        }
    }

    /// Ramps the playlist's fader.
    @discardableResult
    public func setGain(_ gain: Decibels, at moment: (any Moment)? = nil) throws(EngineError) -> CommandID {
        try engine.mixer[.playlist].setGain(gain, at: moment)
    }

    /// The length of crossfades in seconds; 0 joins items without a gap. Prefetched audio is rendered again.
    public var crossfade: Double {
        get { control.withLock { $0.settings.crossfade } }
        set {
            edit("the crossfade is \(newValue) s") {
                $0.settings.crossfade = min(max(0, newValue), engine.configuration.playlistSeconds / 2)
            }
        }
    }
}
