import BarlineDSP

/// What the audio thread has of what it shares with the control side.
struct RendererLink: BitwiseCopyable, @unchecked Sendable {
    let commands: SPSCRing<Command>.Consumer
    /// Where on the board things are.
    let places: BoardPlaces
    let playlist: PlaylistDecks.Readers
    /// What its parts have.
    let context: ContextLink
}
