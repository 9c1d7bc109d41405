extension DocumentEdit {
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<DocumentEdit>] =
        ClipEdits.verbs + TempoEdits.verbs + WarpEdits.verbs + TrackEdits.verbs + SceneEdits.verbs + StemEdits.verbs
        + SessionEdits.verbs
        + ImportEdits.verbs + FileEdits.verbs + MIDIEdits.verbs + EffectEdits.verbs
        + SessionParts.edited.flatMap { $0.edits } + InputEdits.verbs + AlignmentEdits.verbs
        + FlattenEdits.verbs
}
