/// What can be asked of an item of the playlist by its identifier, wherever it is in the list by then.
///
/// A place says which item is meant only as long as nobody else edits the list; what two people do to it at the same
/// time is done to the items that they meant.
package enum ItemAction: Hashable, Sendable {
    /// Plays it from its beginning.
    case play
    /// Takes it out of the list.
    case remove
    /// Moves it to another place.
    case move(to: Int)
    /// Transposes it by semitones.
    case transpose(Double)
    /// Sets its speed.
    case speed(Double)
    /// Moves its formants by semitones, `nil` to have them follow its pitch.
    case formants(Double?)

    /// The same of the item at a place of the list.
    func playlistAction(at index: Int) -> PlaylistAction {
        switch self {
        case .play: .playIndex(index)
        case .remove: .remove(index)
        case .move(let place): .move(from: index, to: place)
        case .transpose(let semitones): .transpose(index: index, semitones: semitones)
        case .speed(let value): .speed(index: index, value: value)
        case .formants(let semitones): .formants(index: index, semitones: semitones)
        }
    }
}

extension ItemAction {
    /// The verb and its forms.
    static let verb = Verb<RelativeAction>(
        "playlistItem",
        "Does something to the item of the playlist that has this `id`, wherever it is in the list by then: what `playlist` does to a "
            + "place, which another one's edit may have given to another item.",
        osc: [["action", "id"]],
        forms: [
            form("play", isPlaying: true, .play), form("remove", .remove),
            form(
                "move", .required("to", .place, missing: "a place in the list, from 0"), make: ItemAction.move(to:),
                match: { if case .move(let place) = $0 { place } else { nil } }),
            form(
                "transpose", .required("semitones", .semitones, "decimals are cents"), make: ItemAction.transpose,
                match: { if case .transpose(let semitones) = $0 { semitones } else { nil } }),
            form(
                "speed", .required("value", .speed, "its pitch is kept"), make: ItemAction.speed,
                match: { if case .speed(let value) = $0 { value } else { nil } }),
            form(
                "formants",
                .optional(
                    "semitones", .semitones, "0 leaves a voice the same person's; where missing they follow the pitch"),
                make: ItemAction.formants, match: { if case .formants(let semitones) = $0 { semitones } else { nil } }),
        ])

    private static func form(_ word: String, isPlaying: Bool = false, _ action: ItemAction) -> Form<RelativeAction> {
        Form(
            when: ["action": .string(word)], isPlaying: isPlaying, .id("id", "the item"), make: { .item($0, action) },
            match: { if case .item(let id, action) = $0 { id } else { nil } })
    }

    private static func form<Value: Sendable>(
        _ word: String, _ argument: VerbArgument<Value>, make: @escaping @Sendable (Value) -> ItemAction,
        match: @escaping @Sendable (ItemAction) -> Value?
    ) -> Form<RelativeAction> {
        Form(
            when: ["action": .string(word)], isPlaying: false, .id("id", "the item"), argument,
            make: { .item($0, make($1)) },
            match: { action in
                guard case .item(let id, let asked) = action, let value = match(asked) else { return nil }
                return (id, value)
            })
    }
}
