import BarlineEngine

/// A mode of recording into an existing clip.
public enum RecordMode: String, Hashable, Sendable, CaseIterable {
    /// As another layer.
    case overdub
    /// Replacing the present one.
    case replace
}

/// A recording into a slot.
public enum RecordAction: Hashable, Sendable {
    /// Begins a take in an empty slot on the grid, and ends it there when repeated; with `bars` it ends by itself. With
    /// a mode it is recorded into an existing clip, pass by pass, which plays on at a level of `feedback` percent.
    case clip(
        track: String, slot: Int, input: String?, bars: Int?, id: String?, mode: RecordMode? = nil,
        feedback: Double = 100)
    /// Makes a take of the last bars, retroactively.
    case keepLast(track: String, slot: Int, bars: Int, input: String?, id: String?)

    /// The identifier that the clip is given; `nil` for one that is found for it.
    var id: String? {
        switch self {
        case .clip(_, _, _, _, let id, _, _): id
        case .keepLast(_, _, _, _, let id): id
        }
    }

    /// The same, with the identifier that was found for its clip.
    func named(_ id: String) -> RecordAction {
        switch self {
        case .clip(let track, let slot, let input, let bars, _, let mode, let feedback):
            .clip(track: track, slot: slot, input: input, bars: bars, id: id, mode: mode, feedback: feedback)
        case .keepLast(let track, let slot, let bars, let input, _):
            .keepLast(track: track, slot: slot, bars: bars, input: input, id: id)
        }
    }

    /// Whether it is recorded over what is there.
    var isOver: Bool {
        if case .clip(_, _, _, _, _, let mode, _) = self { return mode != nil }
        return false
    }

    /// The track.
    var track: String {
        switch self {
        case .clip(let track, _, _, _, _, _, _): track
        case .keepLast(let track, _, _, _, _): track
        }
    }

    /// The row.
    var slot: Int {
        switch self {
        case .clip(_, let slot, _, _, _, _, _): slot
        case .keepLast(_, let slot, _, _, _): slot
        }
    }

    /// The input that is named.
    var input: String? {
        switch self {
        case .clip(_, _, let input, _, _, _, _): input
        case .keepLast(_, _, _, let input, _): input
        }
    }
}

extension RecordAction {
    /// The verbs, in the order in which they are listed.
    static let verbs: [Verb<RecordAction>] = [
        Verb(
            "recordClip",
            "Records an input into an empty slot, from the boundary on which a clip would start; done again, or after `bars`, it ends on a "
                + "boundary and plays on from there. Without `input` it is the track's, or the session's first. With `mode` it is recorded over "
                + "the loop in the slot, every turn of which becomes a layer, until it is done again.",
            osc: [["track", "slot", "mode", "feedback"], ["track", "slot", "mode"], ["track", "slot"]],
            isPlaying: false, .id("track"),
            .required("slot", .row), .optional("input", .words),
            .optional("bars", .takeBars, "until it is done again where missing"),
            .optional("id", .words, "what the clip is called; one that is free where missing"),
            .optional(
                "mode", ValueType<RecordMode>.word,
                "what becomes of the loop in the slot: `overdub` adds to it, `replace` takes its place"),
            .standard("feedback", .feedback, 100, "the level at which the loop goes on in each layer of an `overdub`"),
            make: { track, slot, input, bars, id, mode, feedback in
                .clip(track: track, slot: slot, input: input, bars: bars, id: id, mode: mode, feedback: feedback)
            },
            match: { action in
                guard case .clip(let track, let slot, let input, let bars, let id, let mode, let feedback) = action
                else { return nil }
                return (track, slot, input, bars, id, mode, feedback)
            }),
        Verb(
            "keepLast",
            "Makes a clip of the last bars of an input, which were played already: those up to the bar line that has just passed, or up to the "
                + "next one where that is within the snap tolerance.",
            osc: [["track", "slot", "bars"]], isPlaying: false, .id("track"), .required("slot", .row),
            .required("bars", .takeBars),
            .optional("input", .words),
            .optional("id", .words, "what the clip is called; one that is free where missing"),
            make: RecordAction.keepLast,
            match: { action in
                guard case .keepLast(let track, let slot, let bars, let input, let id) = action else { return nil }
                return (track, slot, bars, input, id)
            }),
    ]
}

extension ValueType where Value == Int {
    /// The bars of a take.
    fileprivate static var takeBars: ValueType { whole(TakeSettings.barsRange, unit: "bars") }
}

extension ValueType where Value == Double {
    /// The level at which a loop is kept in what is recorded over it.
    static var feedback: ValueType { number("a number from 0 to 100", 0...100, unit: "%") }
}
