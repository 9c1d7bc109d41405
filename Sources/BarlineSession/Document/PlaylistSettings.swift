import BarlineEngine

/// The play modes and the mixer strip of a session's playlist.
public struct PlaylistSettings: Hashable, Sendable {
    /// What is repeated.
    public var `repeat` = PlaylistModes.Repeat.off
    /// Whether items are played in random order.
    public var isShuffled = false
    /// Whether playback ends after each item.
    public var isSingle = false
    /// Whether items are removed once played.
    public var consumes = false
    /// The length of crossfades in seconds.
    public var crossfade = 0.0
    /// The playlist's fader, in dB.
    public var gain = 0.0
    /// Its output pair.
    public var output = TrackDocument.mainOutput
    /// Its effects, before the fader.
    public var effects: [EffectDocument] = []
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// The longest crossfade, in seconds.
    static let longestCrossfade = 15.0

    /// Creates settings that play the list in order, once, without a gap.
    public init() {}
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

extension ValueType<Double> {
    /// The length of the playlist's crossfades.
    static var crossfade: ValueType {
        let longest = PlaylistSettings.longestCrossfade
        return number("seconds from 0 to \(Int(longest))", 0...longest, unit: "s")
    }
}
