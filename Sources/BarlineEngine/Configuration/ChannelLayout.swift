/// The order of the mixer's channels: the tracks, those of parts, the stems.
struct ChannelLayout: BitwiseCopyable, Hashable, Sendable {
    /// The number of launcher tracks, whose channels come first.
    let trackCount: Int
    /// The number of parts with a channel each.
    let partCount: Int
    /// The number of stems that can be loaded, whose channels come last.
    let stemCapacity: Int
    /// The metronome's channel, which soloing other channels does not silence.
    let metronome: Int

    /// The channel of the first stem.
    var firstStem: Int { @_noLocks get { trackCount + partCount } }

    /// The number of channels.
    var count: Int { @_noLocks get { firstStem + stemCapacity } }
}
