extension DocumentPart {
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
        case .input: InputDocument.keys.map(\.facts)
        case .layer: LayerDocument.keys.map(\.facts)
        case .songLoop: SongLoop.keys.map(\.facts)
        }
    }
}
