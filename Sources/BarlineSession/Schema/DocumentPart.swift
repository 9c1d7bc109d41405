/// A part of the document whose keys an edit can set.
package enum DocumentPart: String, Hashable, Sendable, CaseIterable {
    case session, master, track, clip, scene, stem, stemSet, marker, playlistItem, playlistSettings, metronome, midi,
        effect, pad, padSet

    /// Its keys.
    package var keys: [ArgumentFacts] {
        switch self {
        case .session: SessionDocument.keys.map(\.facts)
        case .master: SessionDocument.masterKeys.map(\.facts)
        case .track: TrackDocument.keys.map(\.facts)
        case .clip: ClipDocument.keys.map(\.facts)
        case .scene: SceneDocument.keys.map(\.facts)
        case .stem: StemDocument.keys.map(\.facts)
        case .stemSet: StemSetDocument.keys.map(\.facts)
        case .marker: MarkerDocument.keys.map(\.facts)
        case .playlistItem: PlaylistItemDocument.keys.map(\.facts)
        case .playlistSettings: PlaylistSettings.keys.map(\.facts)
        case .metronome: MetronomeDocument.keys.map(\.facts)
        case .midi: MIDIDocument.keys.map(\.facts)
        case .effect: EffectDocument.keys.map(\.facts)
        case .pad: PadDocument.keys.map(\.facts)
        case .padSet: PadSetDocument.keys.map(\.facts)
        }
    }

    /// What its keys are called.
    var words: String {
        switch self {
        case .session: "keys of the session"
        case .track, .clip, .scene, .stem, .marker, .pad: "keys of a \(rawValue)"
        case .playlistItem: "keys of an item of the playlist"
        case .effect: "keys of an effect"
        case .master, .stemSet, .metronome, .playlistSettings, .midi, .padSet: "keys of `\(rawValue)`"
        }
    }

    /// Keys that can be set.
    var example: JSONValue {
        switch self {
        case .session: ["tempo": 126]
        case .master: ["limiter": true]
        case .playlistItem: ["title": "Amen"]
        case .track, .clip, .scene, .stem, .pad: ["name": "Amen"]
        case .padSet: ["mute": true]
        case .stemSet: ["bpm": 97]
        case .effect: ["bypass": true]
        case .marker: ["position": 41.5]
        case .metronome: ["countIn": 1]
        case .playlistSettings: ["crossfade": 2]
        case .midi: ["grid": "launchpad"]
        }
    }
}
