import BarlineTime

/// The song position and its loop, which do not affect the sound.
extension Timeline {
    /// Moves the song position; if the transport is stopped, the song begins there from then on.
    @_noLocks mutating func relocateSong(to place: SongPlace) {
        var position = Beat(rawValue: 0)
        switch place {
        case .beat(let beat): position = beat
        case .bar(let bar): position = Beat(rawValue: Double(bar) * quartersPerBar)
        }
        if isRolling { song.relocate(at: currentBeat, to: position) } else { song.enter(at: position) }
    }

    /// Loops a region of the song, or keeps it for later.
    @_noLocks mutating func loopSong(_ region: SongRegion, isOn: Bool) {
        switch region {
        case .beats(let start, let length): song.loop(at: currentBeat, start: start, length: length)
        case .bars(let first, let count):
            song.loop(
                at: currentBeat, start: Beat(rawValue: Double(first) * quartersPerBar),
                length: Double(count) * quartersPerBar)
        }
        song.setLooping(isOn, at: currentBeat)
    }

    private var quartersPerBar: Double { @_noLocks get { metre.timeSignature(at: currentBeat).quartersPerBar } }
}
