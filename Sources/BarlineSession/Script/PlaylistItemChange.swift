/// A change of how an item of the playlist is played.
public enum PlaylistItemChange: Hashable, Sendable {
    /// Transposes it by semitones.
    case transpose(Double)
    /// Sets its speed.
    case speed(Double)
    /// Moves its formants by semitones, `nil` to have them follow its pitch.
    case formants(Double?)

    func apply(to item: inout PlaylistItemDocument) {
        switch self {
        case .transpose(let semitones): item.transpose = semitones
        case .speed(let value): item.speed = value
        case .formants(let semitones): item.formants = semitones
        }
    }
}

extension PlaylistItemChange {
    /// The forms of an action that makes one, of the item with an `id`.
    ///
    /// - Parameters:
    ///   - presence: the key whose presence tells them from other forms; `nil` where there are none.
    ///   - make: makes the action of the item's identifier and the change.
    ///   - match: returns them; `nil` for another action.
    /// - Returns: the forms, one for each change.
    static func forms<Action: Sendable>(
        presence: String? = nil, make: @escaping @Sendable (String, PlaylistItemChange) -> Action,
        match: @escaping @Sendable (Action) -> (String, PlaylistItemChange)?
    ) -> [Form<Action>] {
        func form<Value: Sendable>(
            _ word: String, undo: String, _ argument: VerbArgument<Value>,
            _ change: @escaping @Sendable (Value) -> PlaylistItemChange,
            _ value: @escaping @Sendable (PlaylistItemChange) -> Value?
        ) -> Form<Action> {
            Form(
                when: ["action": .string(word)], presence: presence, undo: undo, isPlaying: false,
                .id("id", "the item"), argument, make: { make($0, change($1)) },
                match: { action in
                    guard let (id, asked) = match(action), let value = value(asked) else { return nil }
                    return (id, value)
                })
        }
        return [
            form(
                "transpose", undo: "Transpose item", .required("semitones", .semitones, "decimals are cents"),
                PlaylistItemChange.transpose, { if case .transpose(let semitones) = $0 { semitones } else { nil } }),
            form(
                "speed", undo: "Change speed of item", .required("value", .speed, "its pitch is kept"),
                PlaylistItemChange.speed, { if case .speed(let value) = $0 { value } else { nil } }),
            form(
                "formants", undo: "Move formants of item",
                .optional(
                    "semitones", .semitones, "0 leaves a voice the same person's; where missing they follow the pitch"),
                PlaylistItemChange.formants, { if case .formants(let semitones) = $0 { semitones } else { nil } }),
        ]
    }
}
