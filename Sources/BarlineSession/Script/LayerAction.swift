import BarlineEngine
import BarlineTime

/// An action on the layers of a loop.
public enum LayerAction: Hashable, Sendable {
    /// Undoes the latest one, or the one being recorded.
    case undo(clip: String)
    /// Redoes the one that was undone last.
    case redo(clip: String)
    /// Changes the loop as a whole, on a grid or on the clip's own one.
    case change(clip: String, LoopChange, quantization: Quantization?)

    /// The clip.
    var clip: String {
        switch self {
        case .undo(let clip), .redo(let clip), .change(let clip, _, _): clip
        }
    }
}

extension LayerAction {
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<LayerAction>] = [
        Verb(
            "undoLayer",
            "Takes the latest layer of a loop away at once, across 5 ms: what was recorded over it last, or is recorded. Its file stays.",
            osc: [["clip"]], isPlaying: false, .id("clip"), make: LayerAction.undo(clip:),
            match: { if case .undo(let clip) = $0 { clip } else { nil } }),
        Verb(
            "redoLayer",
            "Has the layer of a loop heard again that was taken away last, as long as nothing else was recorded over it.",
            osc: [["clip"]], isPlaying: false, .id("clip"), make: LayerAction.redo(clip:),
            match: { if case .redo(let clip) = $0 { clip } else { nil } }),
        Verb(
            "changeLoop",
            "Changes a loop as a whole, as another layer, on the boundary on which a clip would start: `reverse` plays it backwards, `halfSpeed` and "
                + "`doubleSpeed` at another speed and pitch, `multiply` has it twice and `insert` has as long a silence follow, to be recorded over "
                + "as a loop of twice the length.",
            osc: [["clip", "change", "quantization"], ["clip", "change"]], isPlaying: false, .id("clip"),
            .required("change", ValueType<LoopChange>.word),
            .optional("quantization", .grid, "the clip's own where missing; `none` is at once"),
            make: LayerAction.change(clip:_:quantization:),
            match: { action in
                guard case .change(let clip, let change, let grid) = action else { return nil }
                return (clip, change, grid)
            }),
    ]
}
