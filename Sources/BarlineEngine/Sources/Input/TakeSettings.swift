import BarlineDSP
import BarlineTime

/// The settings of a take: what is recorded, and how the resulting clip plays.
public struct TakeSettings: Hashable, Sendable {
    /// The range of ``bars``.
    public static let barsRange = 1...4096

    /// The range of ``longestSeconds``.
    public static let secondsRange: ClosedRange<Double> = 1...14_400
    /// The usual ``longestSeconds``: half an hour.
    package static let usualSeconds = 1_800.0

    /// The track whose slot it is recorded into.
    public var track: TrackIndex
    /// The input to record.
    public var input: InputIndex
    /// The number of bars after which it ends by itself; `nil` to record until the clip is launched again.
    public var bars: Int?
    /// The gain of the resulting clip.
    public var gain = Decibels.unity
    /// Its own launch quantisation; `nil` for the session's.
    public var quantization: Quantization?
    /// The time after which it ends by itself in any case, in seconds.
    public var longestSeconds = TakeSettings.usualSeconds
    /// Whether its length says the tempo, where the transport is stopped when it is launched: see
    /// ``Engine/Launcher/arm(_:)``.
    public var saysTempo = false

    /// Creates settings for a take that ends when its clip is launched again, or after a number of bars.
    public init(track: TrackIndex, input: InputIndex, bars: Int? = nil) {
        self.track = track
        self.input = input
        self.bars = bars
    }

    /// The settings of the resulting clip.
    var clip: ClipSettings {
        ClipSettings(track: track, beats: nil, gain: gain, quantization: quantization)
    }
}
