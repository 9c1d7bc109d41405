extension DocumentPart {
    static let track = DocumentPart("track", .element, example: ["name": "Amen"], of: TrackDocument.self)
    static let clip = DocumentPart("clip", .element, example: ["name": "Amen"], of: ClipDocument.self)
    static let scene = DocumentPart("scene", .element, example: ["name": "Amen"], of: SceneDocument.self)
    static let stem = DocumentPart("stem", .element, example: ["name": "Amen"], of: StemDocument.self)
    static let stemSet = DocumentPart("stemSet", .value, example: ["bpm": 97], of: StemSetDocument.self)
    static let marker = DocumentPart("marker", .element, example: ["position": 41.5], of: MarkerDocument.self)
    static let playlistItem = DocumentPart(
        "playlistItem", .elementOf("playlist"), example: ["title": "Amen"], of: PlaylistItemDocument.self)
    static let playlistSettings = DocumentPart(
        "playlistSettings", .value, example: ["crossfade": 2], of: PlaylistSettings.self)
    static let metronome = DocumentPart("metronome", .value, example: ["countIn": 1], of: MetronomeDocument.self)
    static let effect = DocumentPart("effect", .element, example: ["bypass": true], of: EffectDocument.self)
    static let send = DocumentPart("send", .element, example: ["output": "phones"], of: SendDocument.self)
    static let songLoop = DocumentPart("songLoop", .value, example: ["bar": 5, "bars": 4], of: SongLoop.self)
    static let input = DocumentPart("input", .element, example: ["gain": -6], of: InputDocument.self)
    static let layer = DocumentPart("layer", .element, example: ["beats": 4], of: LayerDocument.self)
}
