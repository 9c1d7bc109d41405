/// The mixer's channels, some of which sources declare.
extension EngineConfiguration {
    private static let strips = AnySource.kinds.compactMap(\.strip)

    /// The number of mixer channels: the tracks, those of parts, the stems.
    public var channelCount: Int { channelLayout.count }

    /// The index of a channel, without checking that it exists.
    package func index(of channel: Channel) -> Int {
        switch channel {
        case .track(let track): return track.rawValue
        case .stem(let stem): return channelLayout.firstStem + stem.rawValue
        case .part:
            guard let place = EngineConfiguration.strips.firstIndex(of: channel) else {
                preconditionFailure("a part's channel is declared by a source")
            }
            return trackCount + place
        }
    }

    /// The index of the first stem's channel.
    var firstStemChannel: Int { channelLayout.firstStem }

    var channelLayout: ChannelLayout {
        ChannelLayout(
            trackCount: trackCount, partCount: EngineConfiguration.strips.count, stemCapacity: stemCapacity,
            metronome: index(of: .metronome))
    }
}
