import BarlineEngine
import BarlineTime

/// What a script, and every remote control, can ask of a session.
public enum ScriptAction: Hashable, Sendable {
    /// Presses a clip's launch button.
    case launch(clip: String)
    /// Releases a clip's launch button.
    case release(clip: String)
    /// Launches a row.
    case launchScene(Int)
    /// Stops a track, quantised.
    case stop(track: String)
    /// Stops a track at once.
    case stopNow(track: String)
    /// Stops every track, quantised.
    case stopAll
    /// Changes the tempo, over `ramp` quarter notes.
    case tempo(bpm: Double, ramp: Double)
    /// Changes the metre on the next bar line.
    case timeSignature(TimeSignature)
    /// Changes the launch quantisation.
    case quantization(Quantization)
    /// Moves a fader; in dB, minus infinity is silence.
    case gain(Strip, db: Double)
    /// Moves the balance of a track or stem, −1 … 1.
    case pan(Strip, Double)
    /// Mutes a track or stem, or lets it sound.
    case mute(Strip, Bool)
    /// Solos a track or stem, or not.
    case solo(Strip, Bool)
    /// Does something to the stems.
    case stems(StemsAction)
    /// Does something to the playlist.
    case playlist(PlaylistAction)
    /// Rolls or stops the transport.
    case transport(isRolling: Bool)
    /// Changes the metronome.
    case metronome(MetronomeChange)
    /// Makes a clip play from another start position, also while it plays.
    case startPosition(clip: String, StartPosition)
    /// Taps the tempo.
    case tap
    /// Makes the session another one: an edit that was made while a performance was recorded. Only scripts have it.
    indirect case session(SessionDocument)

    /// What a fader belongs to.
    public enum Strip: Hashable, Sendable {
        /// The master.
        case master
        /// A track.
        case track(String)
        /// A clip.
        case clip(String)
        /// A stem.
        case stem(String)
    }
}

/// An action and its frame.
public struct ScriptEntry: Hashable, Sendable {
    /// When it takes effect.
    public var time: ScriptTime
    /// What is done.
    public var action: ScriptAction
    /// The line of the file that it is from, counted from 1; 0 where it is from none.
    public var line: Int
    /// Whether it was asked for ahead, so that the session does not keep what it sets.
    public var isPlanned = false
    /// How many frames it was late: it took effect at its time, and was meant for so many frames before.
    public var late: Int64 = 0

    /// Creates an entry.
    public init(time: ScriptTime, action: ScriptAction, line: Int = 0) {
        self.time = time
        self.action = action
        self.line = line
    }
}

/// A point of a script.
public enum ScriptTime: Hashable, Sendable {
    /// Seconds since the start of the run.
    case seconds(Double)
    /// A frame.
    case frame(FrameTime)

    /// The point's frame at a sample rate.
    public func frame(at sampleRate: SampleRate) -> FrameTime {
        switch self {
        case .seconds(let seconds): FrameTime(sampleRate.frames(seconds: seconds))
        case .frame(let frame): frame
        }
    }
}
