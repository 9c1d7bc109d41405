import BarlineEngine

/// The mixer strip of a part: a session has one of each.
public struct PartStrip: Hashable, Sendable {
    /// Its name in scripts and session files.
    public let rawValue: String
    /// Where it is in the engine and in the document.
    let place: PartStripPlace

    init(_ word: String, _ place: PartStripPlace) {
        rawValue = word
        self.place = place
    }

    /// The strip of the metronome.
    public static let metronome = PartStrip(
        "metronome", PartStripPlace(.metronome, "metronome", \.metronome.output, \.metronome.effects))
    /// The strip of the playlist.
    public static let playlist = PartStrip(
        "playlist",
        PartStripPlace(.playlist, "playlistSettings", \.playlistSettings.output, \.playlistSettings.effects))

    /// Whether two are the same strip.
    public static func == (one: PartStrip, other: PartStrip) -> Bool { one.rawValue == other.rawValue }

    /// Hashes its name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Tracks, stems and such strips, for people: "a track, a stem or the pads".
    static func words(_ strips: [PartStrip]) -> String {
        let names = ["a track", "a stem"] + strips.map(\.rawValue).sorted().map { "the \($0)" }
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }
}

/// The place of a part's strip.
struct PartStripPlace: Sendable {
    typealias Path<Value> = WritableKeyPath<SessionDocument, Value> & Sendable

    let channel: Channel
    /// The part's key in the file.
    let key: String
    /// The name of the output pair that it goes to.
    let output: Path<String>
    let effects: Path<[EffectDocument]>
    /// Its fader and switches; `nil` where the part has verbs of its own for them.
    let settings: Path<StripSettings>?

    init(
        _ channel: Channel, _ key: String, _ output: Path<String>, _ effects: Path<[EffectDocument]>,
        _ settings: Path<StripSettings>? = nil
    ) {
        self.channel = channel
        self.key = key
        self.output = output
        self.effects = effects
        self.settings = settings
    }
}
