import BarlineEngine
import BarlineSession

/// The state of the playlist for clients, beside the list itself, which the session's document has.
struct PlaylistState: Equatable {
    let revision: Int
    let facts: Int
    let current: PlaylistItemID?
    let phase: EngineState.Playlist.Phase

    init(_ playlist: SessionPlaylist, _ facts: PlaylistFacts) {
        revision = playlist.player.revision
        self.facts = facts.revision
        current = playlist.player.currentItem?.id
        phase = playlist.player.phase
    }

    /// What clients are sent; `gain` is the fader's in dB, as the session has it.
    func value(
        _ playlist: SessionPlaylist, gain: Double, _ facts: PlaylistFacts, _ items: inout PlaylistItems
    ) -> StateValue {
        let modes = playlist.player.modes
        let values: [String: JSONValue] = [
            "current": .text(current.flatMap(playlist.document)?.id),
            "phase": .string("\(phase)"), "repeat": .string(modes.repeat.rawValue), "shuffle": .bool(modes.isShuffled),
            "single": .bool(modes.isSingle), "consume": .bool(modes.consumes),
            "stopAfterCurrent": .bool(modes.stopsAfterCurrent), "crossfade": .number(playlist.player.crossfade),
            "gain": gain == -.infinity ? .null : .number(gain),
        ]
        var shared = values.mapValues(StateValue.value)
        shared["items"] = .itemFacts(items.table(of: playlist, facts))
        return .object(shared)
    }
}

/// The state of a playlist's items for clients, by identifier; only that of changed items is made again.
struct PlaylistItems {
    private var values = SharedTable<PlaylistItemState>()
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
    mutating func table(of playlist: SessionPlaylist, _ facts: PlaylistFacts) -> SharedTable<PlaylistItemState> {
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
            values[document.id] = state(of: item, document, playlist, facts)
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

    private func state(
        of item: PlaylistItemID, _ document: PlaylistItemDocument, _ playlist: SessionPlaylist, _ facts: PlaylistFacts
    ) -> PlaylistItemState {
        let (known, failure) = (facts.known(item), failures[item])
        let words = known?.words
        return PlaylistItemState(
            number: item, title: document.title ?? words?.title ?? playlist.name(of: item),
            artist: document.title == nil ? words?.artist : nil, album: words?.album,
            duration: known?.duration.map { $0 / document.speed },
            problem: failure ?? words?.problem?.description,
            message: words?.problem?.words ?? failure.map { _ in "“\(playlist.name(of: item))” could not be played." })
    }
}

/// The state of an item for clients, beside its document.
final class PlaylistItemState: Equatable, Sendable {
    private let number: PlaylistItemID
    private let title: String
    private let artist: String?
    private let album: String?
    private let duration: Double?
    private let problem: String?
    private let message: String?

    init(
        number: PlaylistItemID, title: String, artist: String?, album: String?, duration: Double?, problem: String?,
        message: String?
    ) {
        self.number = number
        self.title = title
        self.artist = artist
        self.album = album
        self.duration = duration
        self.problem = problem
        self.message = message
    }

    var json: JSONValue {
        [
            "number": .number(Double(number.rawValue)), "title": .string(title), "artist": .text(artist),
            "album": .text(album), "duration": .optional(duration), "problem": .text(problem),
            "message": .text(message),
        ]
    }

    static func == (left: PlaylistItemState, right: PlaylistItemState) -> Bool {
        left === right
            || (left.number == right.number && left.title == right.title && left.artist == right.artist
                && left.album == right.album && left.duration == right.duration && left.problem == right.problem
                && left.message == right.message)
    }
}
