import BarlineEngine
import BarlineSession

/// What a client must know of the playlist beside the list itself, which the session's document has.
struct PlaylistState: Equatable {
    let revision: Int
    let facts: Int
    let current: PlaylistItemID?
    let phase: EngineState.Playlist.Phase
    let gain: Double

    init(_ playlist: SessionPlaylist, _ facts: PlaylistFacts) {
        revision = playlist.player.revision
        self.facts = facts.revision
        current = playlist.player.currentItem?.id
        phase = playlist.player.phase
        gain = playlist.gain
    }

    func json(_ playlist: SessionPlaylist, _ facts: PlaylistFacts) -> JSONValue {
        let (items, failures, modes) = (playlist.player.items, playlist.player.failures, playlist.player.modes)
        var values: [String: JSONValue] = [:]
        for item in items {
            guard let document = playlist.document(of: item.id) else { continue }
            let known = facts.known(item.id)
            values[document.id] = [
                "number": .number(Double(item.id.rawValue)),
                "title": .string(document.title ?? known?.tags.title ?? playlist.name(of: item.id)),
                "artist": .text(document.title == nil ? known?.tags.artist : nil),
                "album": .text(known?.tags.album), "duration": .optional(known?.duration),
                "problem": .text(failures[item.id] ?? known?.problem?.description),
                "message": .text(
                    known?.problem?.words
                        ?? failures[item.id].map { _ in "“\(playlist.name(of: item.id))” could not be played." }),
            ]
        }
        return [
            "items": .object(values), "current": .text(current.flatMap(playlist.document)?.id),
            "phase": .string("\(phase)"), "repeat": .string(modes.repeat.rawValue), "shuffle": .bool(modes.isShuffled),
            "single": .bool(modes.isSingle), "consume": .bool(modes.consumes),
            "stopAfterCurrent": .bool(modes.stopsAfterCurrent), "crossfade": .number(playlist.player.crossfade),
            "gain": gain == -.infinity ? .null : .number(gain),
        ]
    }
}
