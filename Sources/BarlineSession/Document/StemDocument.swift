import BarlineDSP
import BarlineEngine
import BarlineTime

/// A stem of a session: a streamed file, played in sync with all others.
public struct StemDocument: Hashable, Sendable {
    /// The identifier that scripts use.
    public var id: String
    /// The name to display.
    public var name: String
    /// The audio file, relative to the session's folder.
    public var file: String
    /// The fader in dB.
    public var gain = 0.0
    /// The balance, −1 … 1.
    public var pan = 0.0
    /// Whether it is muted.
    public var mute = false
    /// Whether it is soloed.
    public var solo = false
    /// The frame that is played at position 0; if negative, the stem begins that much later.
    public var offset: Int64 = 0
    /// Its effects, before the fader.
    public var effects: [EffectDocument] = []
    /// Its output pair.
    public var output = TrackDocument.mainOutput
    /// What goes to other outputs too.
    public var sends: [SendDocument] = []
    /// Whether it follows the tempo, and keeps its pitch; all stems of a session follow it, or none.
    public var playback = Playback.original
    /// The transposition in semitones; decimals are cents.
    public var transpose = 0.0
    /// By how many semitones its formants are moved; `nil` where they follow the pitch.
    public var formants: Double?
    /// The frames at which attacks begin, for time-stretching; `nil` for the detected ones.
    public var onsets: [Int]?
    /// The tempo of the recording in BPM, required if it follows the session's tempo.
    public var bpm: Double?
    /// Its colour, like `#d97706`.
    public var color: String?
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a stem that plays a whole file at its own rate.
    public init(id: String, name: String, file: String) {
        self.id = id
        self.name = name
        self.file = file
    }
}

/// A named position on the stems' timeline.
public struct MarkerDocument: Hashable, Sendable {
    /// The name that scripts use.
    public var name: String
    /// The position in seconds.
    public var position: Double
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a marker.
    public init(name: String, position: Double) {
        self.name = name
        self.position = position
    }
}

extension StemDocument: KeyedDocument {
    static var standard: StemDocument { StemDocument(id: "", name: "", file: "") }

    static let keys: [DocumentKey<StemDocument>] = [
        .required("id", \.id, .words, "what scripts call it"),
        .standard("name", \.name, .text, "", otherwise: { $0.id }, words: "its `id`"),
        .required("file", \.file, .words), .standard("gain", \.gain, .gain), .standard("pan", \.pan, .pan),
        .standard("mute", \.mute, .flag), .standard("solo", \.solo, .flag),
        .standard(
            "offset", \.offset, .frame(atLeast: -NumberBounds.frame),
            "the frame of the file that sounds at position 0; below 0 the stem begins so much later"),
        .standard("output", \.output, .text, "any other name makes another output pair"),
        .list("sends", \.sends, .send, as: .missing),
        .standard(
            "playback", \.playback, .stemPlayback,
            "`repitch` and `stretch` follow the session's tempo, `stretch` at its own pitch: all stems, or none"),
        .standard("transpose", \.transpose, .semitones, "decimals are cents; its tempo stays as it is", as: .missing),
        .optional(
            "formants", \.formants, .semitones,
            "by which its formants are moved: `0` for a voice that stays itself; `null`: they follow the pitch",
            as: .missing),
        .optional(
            "onsets", \.onsets, .frames, "of the file at which attacks begin; `null`: those that are heard",
            as: .missing),
        .optional("bpm", \.bpm, .tempo, "at which it was recorded"),
        .optional("color", \.color, .colour, as: .missing), .list("effects", \.effects, .effect, as: .missing),
    ]

    func check(_ reader: ObjectReader) throws(SessionError) {
        if playback != .original, bpm == nil {
            throw reader.error("bpm", expected: "a tempo in BPM, which a stem that follows the session's must have")
        }
    }

    /// Whether it follows the session's tempo.
    var followsTempo: Bool { playback != .original }

    var json: JSONValue { .object(values) }
}

extension StemDocument {
    /// The stem that the document says how to play, whose audio is `source`, on an engine that runs at `sampleRate`,
    /// resampled in `quality`.
    func stem(_ source: any StemSource, sampleRate: SampleRate, quality: VarispeedQuality = .live) -> Stem {
        let stretch = SongStretch(transposition: transpose, formants: formants, onsets: onsets, quality: quality)
        let recorded = source
        let source = stretch.movesFormants ? FormantStem(source: source, ratio: stretch.formantRatio) : source
        guard playback == .stretch else {
            return Stem(transpose == 0 ? source : StretchedStem(source: source, stretch: stretch), offset: offset)
        }
        let scale = stretch.pitch * source.sampleRate.hertz / sampleRate.hertz
        let place = Double(offset) / scale
        let whole = place.rounded(.down)
        let shift = place - whole
        var stem = Stem(
            scale == 1 ? source : PitchedStem(source: source, scale: scale, shift: shift, quality: quality),
            offset: Int64(whole))
        stem.stretching = StemStretching(
            pitchRate: sampleRate, marks: StemAttacks(recorded, onsets: onsets, scale: scale, shift: shift))
        return stem
    }
}

extension MarkerDocument: KeyedDocument {
    static var standard: MarkerDocument { MarkerDocument(name: "", position: 0) }

    static let keys: [DocumentKey<MarkerDocument>] = [
        .required("name", \.name, .words, "what scripts call it"),
        .required("position", \.position, .seconds, "on the stems' timeline"),
    ]

    var json: JSONValue { .object(values) }
}
