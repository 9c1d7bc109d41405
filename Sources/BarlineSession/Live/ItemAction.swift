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
    /// Changes how it is played.
    case change(PlaylistItemChange)

    /// The same of the item with this identifier, which is at a place of the list.
    func playlistAction(of id: String, at index: Int) -> PlaylistAction {
        switch self {
        case .play: .playIndex(index)
        case .remove: .remove(index)
        case .move(let place): .move(from: index, to: place)
        case .change(let change): .change(id: id, change)
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
            Form(
                when: ["action": "move"], isPlaying: false, .id("id", "the item"),
                .required("to", .place, missing: "a place in the list, from 0"), make: { .item($0, .move(to: $1)) },
                match: { if case .item(let id, .move(let place)) = $0 { (id, place) } else { nil } }),
        ]
            + PlaylistItemChange.forms(
                make: { .item($0, .change($1)) },
                match: { if case .item(let id, .change(let change)) = $0 { (id, change) } else { nil } }))

    private static func form(_ word: String, isPlaying: Bool = false, _ action: ItemAction) -> Form<RelativeAction> {
        Form(
            when: ["action": .string(word)], isPlaying: isPlaying, .id("id", "the item"), make: { .item($0, action) },
            match: { if case .item(let id, action) = $0 { id } else { nil } })
    }
}
