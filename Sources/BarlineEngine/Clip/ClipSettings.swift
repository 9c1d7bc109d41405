import BarlineDSP
import BarlineTime

/// The launch mode of a clip: how it responds to its launch button.
public enum LaunchMode: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Starts; restarts if it plays.
    case trigger
    /// Plays while held, stops on release.
    case gate
    /// Starts; stops if it plays.
    case toggle
    /// Restarts at every boundary while held.
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
    /// With its pitch kept: only ``ClipSettings/transposition`` changes it.
    case stretch
    /// Does not follow it: plays at its own rate.
    case original
}

/// The algorithm of a time-stretched clip.
public enum StretchMode: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Keeps attacks, while sustained sounds continue through them: for all material.
    case complex
    /// Plays the source unchanged from each attack on for most of the way to the next one, whatever sounded before: for
    /// drums and other sounds that decay between attacks.
    case beats
    /// Ignores attacks: for pads, strings and voices.
    case tonal
}

/// A frame of a clip's source and the beat of the clip at which it plays.
public struct WarpMarker: Hashable, Sendable {
    /// The frame of the source.
    public var frame: Int
    /// The beat, in quarter notes.
    public var beat: Double

    /// Creates a marker.
    public init(frame: Int, beat: Double) {
        self.frame = frame
        self.beat = beat
    }
}

/// All settings of a clip; everything except its samples.
public struct ClipSettings: Sendable, Hashable {
    /// The range of ``beats``.
    public static let beatsRange: ClosedRange<Double> = 1e-6...1e6
    /// The range of ``fadeIn`` and ``fadeOut``, in seconds.
    public static let fadeRange: ClosedRange<Double> = 0...10
    /// The range of ``transposition``, in semitones.
    public static let transpositionRange: ClosedRange<Double> = -24...24

    /// The track it plays on.
    public var track: TrackIndex
    /// The frames of the source that play; `nil` for all.
    public var region: Range<Int>?
    /// The region's length in quarter notes, within ``beatsRange``; `nil` if it is unknown, and the clip plays at its
    /// own rate.
    public var beats: Double?
    /// The quarter notes from the region's first frame to the position aligned with the launch boundary: the first beat
    /// of a loop that is cut off the beat. Within 0 … ``beats``; ignored if that is `nil`.
    public var firstBeat: Double
    /// The gain.
    public var gain: Decibels
    /// Whether it loops.
    public var loops: Bool
    /// How it follows the tempo.
    public var playback: Playback
    /// The transposition in semitones, within ``transpositionRange``, whose decimals are cents; used with
    /// ``Playback/stretch``.
    public var transposition: Double
    /// The time-stretch algorithm; used with ``Playback/stretch``.
    public var stretchMode: StretchMode
    /// What else can be set of the time-stretch; used with ``Playback/stretch``.
    public var stretch: StretchParameters
    /// The source frames of attacks, which ``Playback/stretch`` keeps unchanged: at the attack, or up to 2 ms early.
    public var onsets: [Int]
    /// The warp markers, for beats of unequal length: between the region's first frame, which is beat 0, and its last,
    /// which is ``beats``; frames and beats must both ascend. Ignored if the clip does not follow the tempo.
    public var warp: [WarpMarker]
    /// How it responds to its launch button.
    public var launchMode: LaunchMode
    /// The position at which it starts.
    public var startPosition: StartPosition
    /// Its own launch quantisation; `nil` for the session's.
    public var quantization: Quantization?
    /// The length of the fade that leads up to its first frame, in seconds, within ``fadeRange``; the part that does
    /// not fit before the boundary follows it, and 0 starts without a fade. `nil` for 5 ms before the boundary and, if
    /// that is too near, just enough after it to avoid a click.
    public var fadeIn: Double?
    /// The length of the fade when it stops, and before the end of a one-shot, in seconds, within ``fadeRange``; at
    /// least half a millisecond. `nil` for 5 ms.
    public var fadeOut: Double?

    /// Creates settings; see the properties for what the parameters mean.
    public init(
        track: TrackIndex, region: Range<Int>? = nil, beats: Double?, firstBeat: Double = 0, gain: Decibels = .unity,
        loops: Bool = true, playback: Playback = .repitch, transposition: Double = 0,
        stretchMode: StretchMode = .complex, stretch: StretchParameters = StretchParameters(), onsets: [Int] = [],
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
        self.stretch = stretch
        self.onsets = onsets
        self.warp = warp
        self.launchMode = launchMode
        self.startPosition = startPosition
        self.quantization = quantization
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
    }
}
