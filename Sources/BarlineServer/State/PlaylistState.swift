import BarlineEngine
import BarlineSession

/// The state of the playlist for clients, beside the list itself, which the session's document has.
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

    func value(_ playlist: SessionPlaylist, _ facts: PlaylistFacts, _ items: inout PlaylistItems) -> StateValue {
        let modes = playlist.player.modes
        let values: [String: JSONValue] = [
            "current": .text(current.flatMap(playlist.document)?.id),
            "phase": .string("\(phase)"), "repeat": .string(modes.repeat.rawValue), "shuffle": .bool(modes.isShuffled),
            "single": .bool(modes.isSingle), "consume": .bool(modes.consumes),
            "stopAfterCurrent": .bool(modes.stopsAfterCurrent), "crossfade": .number(playlist.player.crossfade),
            "gain": gain == -.infinity ? .null : .number(gain),
        ]
        var shared = values.mapValues(StateValue.value)
        shared["items"] = .table(items.table(of: playlist, facts))
        return .object(shared)
    }
}

/// The state of a playlist's items for clients, by identifier; only that of changed items is made again.
struct PlaylistItems {
    private var values = SharedTable<JSONValue>()
    /// The list as it was.
    private var order: [PlaylistItemID] = []
    private var documents = SharedList<PlaylistItemDocument>()
    private var failures: [PlaylistItemID: String] = [:]
    private var list: Int?
    private var found = 0

    /// The items.
    ///
    /// - Complexity: O(*n*) comparisons of numbers after an edit of the list; else O(*m* log *n*) where *m* items have
    ///   changed, or their files were looked at since the last time.
    mutating func table(of playlist: SessionPlaylist, _ facts: PlaylistFacts) -> SharedTable<JSONValue> {
        let (revision, failures) = (playlist.player.revision, playlist.player.failures)
        let news = facts.found(since: found)
        found = news.revision
        var changed = Set(news.items)
        for item in Set(failures.keys).union(self.failures.keys) where failures[item] != self.failures[item] {
            changed.insert(item)
        }
        self.failures = failures
        if revision != list {
            list = revision
            changed.formUnion(relist(playlist))
        }
        for item in changed {
            guard let document = playlist.document(of: item), playlist.player.has(item) else { continue }
            values[document.id] = json(of: item, document, playlist, facts)
        }
        return values
    }

    /// Takes in which items are in the list now: those before and after what has changed are the same.
    ///
    /// - Returns: those that were not.
    private mutating func relist(_ playlist: SessionPlaylist) -> [PlaylistItemID] {
        let (new, written) = playlist.listing
        let (numbers, contents) = (order.common(with: new), documents.common(with: written))
        let (head, tail) = (min(numbers.head, contents.head), min(numbers.tail, contents.tail))
        var former = Dictionary(
            zip(order[head..<order.count - tail], documents[head..<order.count - tail]),
            uniquingKeysWith: { first, _ in first })
        var added: [PlaylistItemID] = []
        for (item, document) in zip(new[head..<new.count - tail], written[head..<new.count - tail]) {
            if former[item] == document { former[item] = nil } else { added.append(item) }
        }
        for document in former.values { values[document.id] = nil }
        (order, documents) = (new, written)
        return added
    }

    private func json(
        of item: PlaylistItemID, _ document: PlaylistItemDocument, _ playlist: SessionPlaylist, _ facts: PlaylistFacts
    ) -> JSONValue {
        let known = facts.known(item)
        let failure = failures[item]
        return [
            "number": .number(Double(item.rawValue)),
            "title": .string(document.title ?? known?.title ?? playlist.name(of: item)),
            "artist": .text(document.title == nil ? known?.artist : nil),
            "album": .text(known?.album), "duration": .optional(known?.duration.map { $0 / document.speed }),
            "problem": .text(failure ?? known?.problem?.description),
            "message": .text(
                known?.problem?.words ?? failure.map { _ in "“\(playlist.name(of: item))” could not be played." }),
        ]
    }
}
