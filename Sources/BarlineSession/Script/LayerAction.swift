/// What is done with the layers of a loop.
public enum LayerAction: Hashable, Sendable {
    /// Takes the latest one away, or the one that is recorded.
    case undo(clip: String)
    /// Has the one heard again that was taken away last.
    case redo(clip: String)

    /// The clip.
    var clip: String {
        switch self {
        case .undo(let clip), .redo(let clip): clip
        }
    }
}

extension LayerAction {
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<LayerAction>] = [
        Verb(
            "undoLayer",
            "Takes the latest layer of a loop away at once, across 5 ms: what was recorded over it last, or is recorded. Its file stays.",
            osc: [["clip"]], .id("clip"), make: LayerAction.undo(clip:),
            match: { if case .undo(let clip) = $0 { clip } else { nil } }),
        Verb(
            "redoLayer",
            "Has the layer of a loop heard again that was taken away last, as long as nothing else was recorded over it.",
            osc: [["clip"]], .id("clip"), make: LayerAction.redo(clip:),
            match: { if case .redo(let clip) = $0 { clip } else { nil } }),
    ]
}
