import BarlineDSP
import BarlineEngine
import BarlineTime

/// A session as its file has it. Keys that this version does not know are kept in `rest`.
public struct SessionDocument: Hashable, Sendable {
    /// The set's name.
    public var name = "Untitled"
    /// The tempo at the start, in BPM, as the file has it; the engine clamps it.
    public var tempo = 120.0
    /// The metre at the start.
    public var timeSignature = TimeSignature.common
    /// The grid for clips that have none of their own.
    public var launchQuantization = Quantization.bar
    /// Where the transport stands when it is set rolling by a launch.
    public var firstLaunch = FirstLaunch.afterOnePeriod
    /// How far past a boundary a launch still counts as on it.
    public var snapTolerance = 0.02
    /// How far the output's clock may be from what was played before the timeline moves there, in milliseconds.
    public var resyncThreshold = 10.0
    /// Whether the first loop that is recorded says the tempo, where the transport stands.
    public var tempoFromFirstLoop = false
    /// Which clips are matched in loudness when they are imported.
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
    package var parts = SessionParts()
    /// How the playlist goes on.
    public var playlistSettings = PlaylistSettings()
    /// The song's loop.
    public var songLoop = SongLoop()
    /// The metronome.
    public var metronome = MetronomeDocument()
    /// Keys of the top level that this version does not know.
    public var rest: [String: JSONValue] = [:]
    /// Keys of `master` that this version does not know.
    public var masterRest: [String: JSONValue] = [:]

    /// An empty session.
    public init() {}

    /// The number of rows: those that have a name, and those that a clip is in.
    ///
    /// - Complexity: O(*n*) in the clips.
    public var rowCount: Int {
        max(scenes.count, (tracks.flatMap(\.clips).map(\.slot).max() ?? -1) + 1)
    }

    /// The names of the outputs that tracks, stems and the strips of parts go to, the main one first.
    ///
    /// - Complexity: O(*n*) in the tracks and stems.
    public var outputs: [String] {
        var names = [TrackDocument.mainOutput]
        let others = PartStrip.allCases.map { self[keyPath: $0.place.output] }
        for name in tracks.map(\.output) + stems.map(\.output) + others where !names.contains(name) {
            names.append(name)
        }
        return names
    }
}

/// A track of a session.
public struct TrackDocument: Hashable, Sendable {
    /// The name of the main output.
    public static let mainOutput = "main"

    /// The identifier that scripts use.
    public var id: String
    /// The name that is shown.
    public var name: String
    /// The fader in dB.
    public var gain = 0.0
    /// The balance, −1 … 1.
    public var pan = 0.0
    /// Whether it is muted.
    public var mute = false
    /// Whether it is soloed.
    public var solo = false
    /// The output pair it goes to.
    public var output = TrackDocument.mainOutput
    /// Its effects, before the fader.
    public var effects: [EffectDocument] = []
    /// The input that is recorded into its slots, and heard on it; `nil` for none.
    public var input: String?
    /// Its colour, like `#d97706`, which clips that are imported take.
    public var color: String?
    /// The clips, in any order of slots.
    public var clips: [ClipDocument] = []
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// A track without clips.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// A clip of a session.
public struct ClipDocument: Hashable, Sendable {
    /// The identifier that scripts use.
    public var id: String
    /// The name that is shown.
    public var name: String
    /// The audio file, relative to the session's folder.
    public var file: String
    /// The row.
    public var slot: Int
    /// The clip's own tempo, where it is known.
    public var bpm: Double?
    /// The clip's length in quarter notes, where it is known.
    public var beats: Double?
    /// The frame of the source that falls on the boundary when the clip is launched, as a loop that is cut off the beat
    /// needs; `nil` for the one that is heard where the tempo is, and else for the first frame.
    public var firstBeat: Int?
    /// The first frame of the source that is played.
    public var start = 0
    /// The frame after the last one; `nil` for the source's end.
    public var end: Int?
    /// The gain in dB.
    public var gain = 0.0
    /// Whether it starts over at its end.
    public var loop = true
    /// How it follows the tempo.
    public var playback = Playback.repitch
    /// How much higher it sounds than it was recorded, in semitones, where its pitch is kept.
    public var transpose = 0.0
    /// How it is stretched where its pitch is kept; `nil` for what suits its sound.
    public var stretchMode: StretchMode?
    /// The frames of the source at which attacks begin, in their order; `nil` for those that are heard.
    public var onsets: [Int]?
    /// Which frames of the source are on which beats of the clip, where these are not equally long; two at least.
    public var warp: [WarpMarker]?
    /// How it answers to its button.
    public var launchMode = LaunchMode.trigger
    /// Where in itself it starts.
    public var startPosition = StartPosition.fromStart
    /// Its own grid.
    public var quantization: Quantization?
    /// The length of its fade-in in milliseconds; `nil` for what keeps its first frame whole and free of clicks.
    public var fadeIn: Double?
    /// The length of its fade-out in milliseconds; `nil` for 5.
    public var fadeOut: Double?
    /// Its colour, like `#d97706`.
    public var color: String?
    /// How late what it was recorded from came; `nil` where it was not recorded, or that is not known.
    public var latency: ClipLatency?
    /// What it was before others were recorded over it, the first one first.
    public var layers: [LayerDocument] = []
    /// What it was with those that were undone, the one that was undone last at the end.
    public var undoneLayers: [LayerDocument] = []
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// A clip that plays a whole file.
    public init(id: String, name: String, file: String, slot: Int) {
        self.id = id
        self.name = name
        self.file = file
        self.slot = slot
    }
}

/// A row of a session.
public struct SceneDocument: Hashable, Sendable {
    /// The name that is shown.
    public var name: String
    /// The tempo that comes with the scene.
    public var tempo: Double?
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// A scene that leaves the tempo alone.
    public init(name: String) { self.name = name }
}
