import BarlineDSP
import BarlineTime

/// The settings of a take: what is recorded, and what the clip does then.
public struct TakeSettings: Hashable, Sendable {
    /// The bars that a take of a number of bars may have.
    public static let barsRange = 1...4096

    /// The seconds that a take may be allowed to have.
    public static let secondsRange: ClosedRange<Double> = 1...14_400

    /// The track whose slot it is recorded into.
    public var track: TrackIndex
    /// What is recorded.
    public var input: InputIndex
    /// The bars after which it ends by itself; `nil` until the clip is launched again.
    public var bars: Int?
    /// The gain at which it is played.
    public var gain = Decibels.unity
    /// Its own launch quantisation; `nil` for the session's.
    public var quantization: Quantization?
    /// The seconds after which it ends by itself, whatever it waits for.
    public var longestSeconds = 1_800.0

    /// A take that ends when its clip is launched again, or after so many bars.
    public init(track: TrackIndex, input: InputIndex, bars: Int? = nil) {
        self.track = track
        self.input = input
        self.bars = bars
    }

    /// The clip that comes of it.
    var clip: ClipSettings {
        ClipSettings(track: track, beats: nil, gain: gain, quantization: quantization)
    }
}
