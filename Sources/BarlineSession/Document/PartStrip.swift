import BarlineEngine

/// A strip of the mixer of which a session has one, that of a part: the one list of them.
public enum PartStrip: String, CaseIterable, Hashable, Sendable {
    /// The metronome's.
    case metronome
    /// The playlist's.
    case playlist
    /// The pads'.
    case pads

    /// Where it is in the engine and in the document.
    var place: PartStripPlace {
        switch self {
        case .metronome: PartStripPlace(.metronome, "metronome", \.metronome.output, \.metronome.effects)
        case .playlist:
            PartStripPlace(
                .playlist, "playlistSettings", \.playlistSettings.output, \.playlistSettings.effects)
        case .pads: PartStripPlace(.pads, "padSet", \.padSet.output, \.padSet.effects, \.padSet.strip)
        }
    }

    /// Those whose fader, balance, mute and solo are asked for as a track's are.
    static var faders: [PartStrip] { allCases.filter { $0.place.settings != nil } }

    /// Tracks, stems and such strips, for people: "a track, a stem or the pads".
    static func words(_ strips: [PartStrip]) -> String {
        let names = ["a track", "a stem"] + strips.map(\.rawValue).sorted().map { "the \($0)" }
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }
}

/// Where the strip of a part is.
struct PartStripPlace {
    let channel: Channel
    /// The part's key in the file.
    let key: String
    /// The name of the output pair that it goes to.
    let output: KeyPath<SessionDocument, String>
    let effects: WritableKeyPath<SessionDocument, [EffectDocument]>
    /// Its fader and switches; `nil` where the part has verbs of its own for them.
    let settings: WritableKeyPath<SessionDocument, StripSettings>?

    init(
        _ channel: Channel, _ key: String, _ output: KeyPath<SessionDocument, String>,
        _ effects: WritableKeyPath<SessionDocument, [EffectDocument]>,
        _ settings: WritableKeyPath<SessionDocument, StripSettings>? = nil
    ) {
        self.channel = channel
        self.key = key
        self.output = output
        self.effects = effects
        self.settings = settings
    }
}
