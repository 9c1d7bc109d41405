/// The order of the mixer's channels: the tracks, the metronome, the playlist, the pads, the stems.
struct ChannelLayout: BitwiseCopyable, Hashable, Sendable {
    /// The number of launcher tracks, whose channels come first.
    let trackCount: Int
    /// The number of stems that can be loaded, whose channels come last.
    let stemCapacity: Int

    @_noLocks init(trackCount: Int, stemCapacity: Int) {
        self.trackCount = trackCount
        self.stemCapacity = stemCapacity
    }

    /// The metronome's channel.
    var metronome: Int { @_noLocks get { trackCount } }

    /// The playlist's channel.
    var playlist: Int { @_noLocks get { trackCount + 1 } }

    /// The pads' channel.
    var pads: Int { @_noLocks get { trackCount + 2 } }

    /// The channel of the first stem.
    var firstStem: Int { @_noLocks get { trackCount + 3 } }

    /// The number of channels.
    var count: Int { @_noLocks get { firstStem + stemCapacity } }
}
