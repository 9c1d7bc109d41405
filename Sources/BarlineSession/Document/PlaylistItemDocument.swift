import BarlineDSP
import BarlineEngine

/// An item of a session's playlist. The same file twice is two items.
public struct PlaylistItemDocument: Hashable, Sendable {
    /// The identifier that scripts use.
    public var id: String
    /// The audio file, relative to the session's folder.
    public var file: String
    /// The title to display; `nil` for the file's name.
    public var title: String?
    /// The first frame of the file that is played.
    public var start: Int64 = 0
    /// The frame after the last one; `nil` for the end of the file.
    public var end: Int64?
    /// The gain in dB.
    public var gain = 0.0
    /// How its speed is changed: by time-stretching, or by varispeed.
    public var playback = Playback.stretch
    /// The transposition in semitones; decimals are cents.
    public var transpose = 0.0
    /// The speed, 1 being the original one.
    public var speed = 1.0
    /// By how many semitones its formants are moved; `nil` where they follow the pitch.
    public var formants: Double?
    /// The frames at which attacks begin, for time-stretching; `nil` for the detected ones.
    public var onsets: [Int]?
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates an item that plays a whole file.
    public init(id: String, file: String, title: String? = nil) {
        self.id = id
        self.file = file
        self.title = title
    }
}

extension PlaylistItemDocument: KeyedDocument {
    static var standard: PlaylistItemDocument { PlaylistItemDocument(id: "", file: "") }

    static let keys: [DocumentKey<PlaylistItemDocument>] = [
        .required("id", \.id, .words, "what scripts call it"), .required("file", \.file, .words, "or an address"),
        .optional("title", \.title, .text, "that of the file, or its name"),
        .standard("start", \.start, .frame(), "of the file", as: .missing),
        .optional("end", \.end, .frame(), "after the last one of the file; `null` is its end", as: .missing),
        .standard("gain", \.gain, .gain, as: .missing),
        .standard(
            "playback", \.playback, .itemPlayback, "`repitch`: its pitch follows its speed", as: .missing),
        .standard("transpose", \.transpose, .semitones, "decimals are cents; its speed stays as it is", as: .missing),
        .standard("speed", \.speed, .speed, "as it was recorded is 1; its pitch is kept", as: .missing),
        .optional(
            "formants", \.formants, .semitones,
            "by which its formants are moved: `0` for a voice that stays itself; `null`: they follow the pitch",
            as: .missing),
        .optional(
            "onsets", \.onsets, .frames, "of the file at which attacks begin; `null`: those that are heard",
            as: .missing),
    ]

    func check(_ reader: ObjectReader) throws(SessionError) {
        if let end, end < start { throw reader.error("end", expected: "a frame of at least \"start\"") }
    }

    /// The item that the document says how to play, called `number`, whose audio is `source`, resampled in `quality`.
    func item(
        _ number: PlaylistItemID, _ source: any PlaylistSource, quality: VarispeedQuality = .live
    ) -> PlaylistItem {
        let stretch = SongStretch(
            speed: speed, transposition: transpose, keepsPitch: playback != .repitch, formants: formants,
            onsets: onsets, quality: quality)
        if stretch.isNone {
            return PlaylistItem(
                id: number, source: source, start: start, end: end, gain: Decibels(gain), title: title)
        }
        return PlaylistItem(
            id: number, source: StretchedItem(source: source, stretch: stretch, start: start, end: end),
            gain: Decibels(gain), title: title)
    }

    /// Whether it is the same part of the same file, under the same name, as another one that is played at another
    /// speed or pitch.
    func isVersion(of other: PlaylistItemDocument) -> Bool {
        var other = other
        (other.playback, other.transpose, other.speed, other.formants) = (playback, transpose, speed, formants)
        other.onsets = onsets
        return self == other
    }

    /// The item as JSON.
    package var json: JSONValue { .object(values) }
}
