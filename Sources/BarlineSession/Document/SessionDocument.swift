import BarlineDSP
import BarlineEngine
import BarlineTime

/// A session, as stored in a file. Unknown keys are kept in `rest`.
public struct SessionDocument: Hashable, Sendable {
    /// The set's name.
    public var name = "Untitled"
    /// The initial tempo in BPM, as stored in the file; the engine clamps it.
    public var tempo = 120.0
    /// The initial metre.
    public var timeSignature = TimeSignature.common
    /// The launch quantisation of clips without one of their own.
    public var launchQuantization = Quantization.bar
    /// The position from which a launch starts the transport.
    public var firstLaunch = FirstLaunch.afterOnePeriod
    /// The fraction of a period after a boundary within which a launch still counts as being on it, 0 … 0.5.
    public var snapTolerance = 0.02
    /// The drift between the output's clock and the timeline at which the timeline is resynchronised, in milliseconds.
    public var resyncThreshold = 10.0
    /// Whether the first recorded loop sets the tempo while the transport is stopped.
    public var tempoFromFirstLoop = false
    /// Which imported clips are matched in loudness.
    public var importLoudness = ImportLoudness.louder
    /// The master fader in dB.
    public var masterGain = 0.0
    /// The safety limiter of the outputs.
    public var limiter = LimiterSettings()
    /// The effects of the main output, before its fader.
    public var masterEffects: [EffectDocument] = []
    /// The columns.
    public var tracks: [TrackDocument] = []
    /// The rows.
    public var scenes: [SceneDocument] = []
    /// The stems.
    public var stems: [StemDocument] = []
    /// What the stems have in common.
    public var stemSet = StemSetDocument()
    /// Named places on the stems' timeline.
    public var markers: [MarkerDocument] = []
    /// The playlist.
    ///
    /// - Complexity: O(*n*) in the items.
    public var playlist: [PlaylistItemDocument] {
        get { Array(items) }
        set { items = SharedList(newValue) }
    }
    /// The playlist, as it is kept.
    package var items = SharedList<PlaylistItemDocument>()
    /// What is recorded.
    public var inputs: [InputDocument] = []
    /// The parts that are folders of their own.
    var parts = SessionParts()
    /// The play modes and the mixer strip of the playlist.
    public var playlistSettings = PlaylistSettings()
    /// The song's loop.
    public var songLoop = SongLoop()
    /// The metronome.
    public var metronome = MetronomeDocument()
    /// Unknown keys of the top level, which are kept.
    package var rest: [String: JSONValue] = [:]
    /// Unknown keys of `master`, which are kept.
    package var masterRest: [String: JSONValue] = [:]

    /// Creates an empty session.
    public init() {}

    /// The number of rows that have a name or a clip.
    ///
    /// - Complexity: O(*n*) in the clips.
    public var rowCount: Int {
        max(scenes.count, (tracks.flatMap(\.clips).map(\.slot).max() ?? -1) + 1)
    }
}

/// A track of a session.
public struct TrackDocument: Hashable, Sendable {
    /// The name of the main output.
    public static let mainOutput = "main"

    /// The identifier that scripts use.
    public var id: String
    /// The name to display.
    public var name: String
    /// The fader in dB.
    public var gain = 0.0
    /// The balance, −1 … 1.
    public var pan = 0.0
    /// Whether it is muted.
    public var mute = false
    /// Whether it is soloed.
    public var solo = false
    /// Its output pair.
    public var output = TrackDocument.mainOutput
    /// What goes to other outputs too.
    public var sends: [SendDocument] = []
    /// Its effects, before the fader.
    public var effects: [EffectDocument] = []
    /// The input that is recorded into its slots and monitored on it; `nil` for none.
    public var input: String?
    /// Its colour, like `#d97706`, which imported clips inherit.
    public var color: String?
    /// The clips, in any order of slots.
    public var clips: [ClipDocument] = []
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a track without clips.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// A clip of a session.
public struct ClipDocument: Hashable, Sendable {
    /// The identifier that scripts use.
    public var id: String
    /// The name to display.
    public var name: String
    /// The audio file, relative to the session's folder.
    public var file: String
    /// The row.
    public var slot: Int
    /// The clip's own tempo in BPM; `nil` if unknown.
    public var bpm: Double?
    /// The clip's length in quarter notes; `nil` if unknown.
    public var beats: Double?
    /// The frame that is aligned with the launch boundary, for loops that don't begin on a beat; `nil` for the detected
    /// one, or the first frame.
    public var firstBeat: Int?
    /// The first frame that is played.
    public var start = 0
    /// The frame after the last one; `nil` for the end of the file.
    public var end: Int?
    /// The gain in dB.
    public var gain = 0.0
    /// Whether it loops.
    public var loop = true
    /// How it follows the tempo.
    public var playback = Playback.repitch
    /// The transposition in semitones, if it is time-stretched.
    public var transpose = 0.0
    /// The kind of time-stretching; `nil` for the detected one.
    public var stretchMode: StretchMode?
    /// The per cent of the way to the next attack for which `beats` plays each attack unchanged.
    public var stretchKeep = 100 * StretchParameters().kept
    /// The milliseconds in which each attack decays by 60 dB with `beats`; `nil` to leave its decay alone.
    public var stretchDecay: Double?
    /// By how many dB the sound must rise at an attack for what sounds before it to be cut off there.
    public var stretchCut = StretchParameters().cutRise
    /// The length of the grains.
    public var stretchGrain = GrainLength.long
    /// The transposition of its formants in semitones; `nil` to have them follow the pitch.
    public var formants: Double?
    /// The frames at which attacks begin, ascending; `nil` for the detected ones.
    public var onsets: [Int]?
    /// The warp markers, at least two: which frame is on which beat.
    public var warp: [WarpMarker]?
    /// What markers have beside frame and beat, by their frames: keys that this version does not know.
    var warpRest: [Int: [String: JSONValue]] = [:]
    /// Its launch mode.
    public var launchMode = LaunchMode.trigger
    /// Its start position.
    public var startPosition = StartPosition.fromStart
    /// Its own launch quantisation; `nil` for the session's.
    public var quantization: Quantization?
    /// The length of its fade-in in milliseconds; `nil` for the shortest one without a click.
    public var fadeIn: Double?
    /// The length of its fade-out in milliseconds; `nil` for 5.
    public var fadeOut: Double?
    /// Its colour, like `#d97706`.
    public var color: String?
    /// The input latency that it was corrected by; `nil` if unknown, or if it was not recorded.
    public var latency: ClipLatency?
    /// How it was made of the layer below; `nil` if there is none, or that is not known.
    package var pass: LayerPass?
    /// The layers below the present one, the first one first.
    public var layers: [LayerDocument] = []
    /// The layers that were undone, the latest one last.
    public var undoneLayers: [LayerDocument] = []
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a clip that plays a whole file.
    public init(id: String, name: String, file: String, slot: Int) {
        self.id = id
        self.name = name
        self.file = file
        self.slot = slot
    }
}

/// A row of a session.
public struct SceneDocument: Hashable, Sendable {
    /// The name to display.
    public var name: String
    /// The tempo of the scene in BPM; `nil` to keep the current one.
    public var tempo: Double?
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a scene without a tempo.
    public init(name: String) { self.name = name }
}
