import BarlineDSP
import BarlineTime

/// The launch mode of a clip: how it responds to its launch button.
public enum LaunchMode: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Starts; starts again when it plays.
    case trigger
    /// Plays while it is held, stops when it is released.
    case gate
    /// Starts; stops when it plays.
    case toggle
    /// Starts again at every boundary while it is held.
    case `repeat`
}

/// The position within a clip at which a launch starts it.
public enum StartPosition: String, Sendable, CaseIterable, BitwiseCopyable {
    /// At its first frame.
    case fromStart
    /// At the position of the clip that it replaces.
    case legato
    /// Where it would be if it had been playing since the grid's origin.
    case synced
}

/// The way in which a clip follows the tempo.
public enum Playback: String, Sendable, CaseIterable, BitwiseCopyable {
    /// By varispeed: pitch follows tempo.
    case repitch
    /// With its pitch kept: ``ClipSettings/transposition`` alone decides that.
    case stretch
    /// Not at all: it plays at its own rate.
    case original
}

/// The algorithm of a time-stretched clip.
public enum StretchMode: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Attacks are kept, and what sounds through them goes on: for everything.
    case complex
    /// The source as it is from each attack on for most of the way to the next one, whatever sounded before: for drums and what else
    /// dies away between attacks.
    case beats
    /// No attacks: for pads, strings and voices.
    case tonal
}

/// A frame of a clip's source and the beat of the clip at which it is heard.
public struct WarpMarker: Hashable, Sendable {
    /// The frame of the source.
    public var frame: Int
    /// Quarter notes.
    public var beat: Double

    /// Creates a marker.
    public init(frame: Int, beat: Double) {
        self.frame = frame
        self.beat = beat
    }
}

/// Everything about a clip but its samples.
public struct ClipSettings: Sendable, Hashable {
    /// The lengths in quarter notes that a clip may have.
    public static let beatsRange: ClosedRange<Double> = 1e-6...1e6
    /// What the length of a clip's own fade may be, in seconds.
    public static let fadeRange: ClosedRange<Double> = 0...10
    /// The semitones by which a clip may be transposed.
    public static let transpositionRange: ClosedRange<Double> = -24...24

    /// The track it plays on.
    public var track: TrackIndex
    /// The frames of the source that are played; `nil` for all.
    public var region: Range<Int>?
    /// The region's length in quarter notes, within ``beatsRange``; `nil` where it is unknown, and then the clip plays
    /// at its own rate.
    public var beats: Double?
    /// The quarter notes from the region's first frame to the place that falls on the boundary when the clip is launched:
    /// the first beat of a loop that is cut off the beat. Within 0 … ``beats``; without meaning where that is `nil`.
    public var firstBeat: Double
    /// The gain.
    public var gain: Decibels
    /// Whether it starts over at its end.
    public var loops: Bool
    /// How it follows the tempo.
    public var playback: Playback
    /// How much higher it sounds than it was recorded, in semitones within ``transpositionRange``, whose decimals are cents;
    /// of meaning with ``Playback/stretch``.
    public var transposition: Double
    /// How it is stretched; of meaning with ``Playback/stretch``.
    public var stretchMode: StretchMode
    /// The source frames at which attacks begin, which ``Playback/stretch`` keeps as they are: at the attack, or up to 2 ms
    /// early.
    public var onsets: [Int]
    /// Which of its frames are heard at which of its beats, where these are not equally long: markers between the region's first frame,
    /// which is beat 0, and its last, which is ``beats``; both numbers of one are above those of the one before. Without meaning where
    /// it does not follow the tempo.
    public var warp: [WarpMarker]
    /// How it answers to its launch button.
    public var launchMode: LaunchMode
    /// Where in itself it starts.
    public var startPosition: StartPosition
    /// Its own launch quantisation; `nil` for the session's.
    public var quantization: Quantization?
    /// The length of the fade that leads up to its first frame, in seconds, within ``fadeRange``; what does not fit before
    /// the boundary follows it, and 0 is a bare start. `nil` for 5 ms before the boundary and, where that is too near,
    /// just enough after it to keep from clicking.
    public var fadeIn: Double?
    /// The length of the fade when it stops, and before the end of a clip that plays once, in seconds, within
    /// ``fadeRange``; never less than half a millisecond. `nil` for 5 ms.
    public var fadeOut: Double?

    /// Creates settings; see the properties for what the parameters mean.
    public init(
        track: TrackIndex, region: Range<Int>? = nil, beats: Double?, firstBeat: Double = 0, gain: Decibels = .unity,
        loops: Bool = true, playback: Playback = .repitch, transposition: Double = 0,
        stretchMode: StretchMode = .complex, onsets: [Int] = [],
        warp: [WarpMarker] = [], launchMode: LaunchMode = .trigger,
        startPosition: StartPosition = .fromStart, quantization: Quantization? = nil, fadeIn: Double? = nil,
        fadeOut: Double? = nil
    ) {
        self.track = track
        self.region = region
        self.beats = beats
        self.firstBeat = firstBeat
        self.gain = gain
        self.loops = loops
        self.playback = playback
        self.transposition = transposition
        self.stretchMode = stretchMode
        self.onsets = onsets
        self.warp = warp
        self.launchMode = launchMode
        self.startPosition = startPosition
        self.quantization = quantization
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
    }
}
