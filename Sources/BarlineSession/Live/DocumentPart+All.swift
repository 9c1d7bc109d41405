extension DocumentPart: CaseIterable {
    package static let midi = DocumentPart("midi", .value, example: ["grid": "launchpad"], of: MIDIDocument.self)

    /// All of them.
    package static let allCases: [DocumentPart] =
        [
            .session, .master, .track, .clip, .scene, .stem, .stemSet, .marker, .playlistItem, .playlistSettings,
            .metronome, .midi, .effect, .send,
        ] + SessionParts.all.flatMap { $0.documentParts } + [.songLoop, .input, .layer]
}
