import BarlineEngine
import BarlineFiles
import BarlineSession
import Foundation
import Synchronization

/// The facts that the files of a playlist state about themselves: each is looked at once, away from everything that is
/// urgent.
final class PlaylistFacts: Sendable {
    /// The facts about an item's file.
    struct Facts: Sendable {
        /// Seconds of what is played of it; `nil` where nobody knows.
        var duration: Double?
        /// `nil` where it says none, as many of a long list do.
        var words: Words?
    }

    /// What an item's file says in words.
    final class Words: Sendable {
        let title: String?
        let artist: String?
        let album: String?
        /// Why it can't be played.
        let problem: AudioFileError?

        /// The words of the file's tags; `nil` where they have none.
        init?(_ tags: AudioTags) {
            (title, artist, album, problem) = (tags.title, tags.artist, tags.album, nil)
            if title == nil, artist == nil, album == nil { return nil }
        }

        init(_ problem: AudioFileError) {
            (title, artist, album) = (nil, nil, nil)
            self.problem = problem
        }
    }

    private struct Table {
        var facts: [PlaylistItemID: Facts] = [:]
        /// Items in the order in which they were looked at, since items were forgotten last.
        var found: [PlaylistItemID] = []
        /// How many were looked at before those.
        var foundBefore = 0
        /// Items that nobody has looked at, the next one last.
        var waiting: [PlaylistItemID] = []
        var isLooking = false
        /// The items that are listed, and their order, as they were looked at last.
        var listed: Set<PlaylistItemID> = []
        var order: [PlaylistItemID] = []
        /// How much of what was found clients know, or are about to.
        var reported = 0

        var count: Int { foundBefore + found.count }
    }

    private let playlist: SessionPlaylist
    private let table = Mutex(Table())

    /// Seconds between two times at which what was found is reported: of a long list it is much at a time.
    private static let interval = 0.25
    /// What is added to it for each item of the list: a report costs what the list is long.
    private static let intervalOfItem = 25e-6

    init(_ playlist: SessionPlaylist) { self.playlist = playlist }

    /// Counts what was found and is to be reported.
    var revision: Int { table.withLock { $0.reported } }

    func known(_ item: PlaylistItemID) -> Facts? { table.withLock { $0.facts[item] } }

    /// The items that were looked at since ``revision`` was `revision`, and what it is now.
    func found(since revision: Int) -> (items: [PlaylistItemID], revision: Int) {
        table.withLock { table in
            let isForgotten = revision < table.foundBefore
            let items =
                isForgotten ? Array(table.facts.keys) : Array(table.found.dropFirst(revision - table.foundBefore))
            return (items, table.count)
        }
    }

    /// Looks at the items that nobody has looked at, and forgets those that are gone. Returns at once.
    ///
    /// - Complexity: O(*n*) comparisons of numbers; else that of what has changed in the list.
    func catchUp() {
        let items = playlist.player.order
        let shouldLook = table.withLock { table in
            let (head, tail) = table.order.common(with: items)
            let former = Set(table.order[head..<table.order.count - tail])
            let new = items[head..<items.count - tail]
            for item in former.subtracting(new) {
                table.listed.remove(item)
                table.facts[item] = nil
            }
            table.order = items
            if table.found.count > 2 * items.count {
                table.foundBefore = table.count
                table.found = []
            }
            // The first of them is looked at first.
            for item in new.reversed() where table.listed.insert(item).inserted { table.waiting.append(item) }
            if table.isLooking || table.waiting.isEmpty { return false }
            table.isLooking = true
            return true
        }
        if shouldLook { DispatchQueue.global(qos: .utility).async { self.look() } }
    }

    private func look() {
        var lastReport = LiveSession.now
        while let (item, count) = next() {
            let found = facts(of: item)
            let isDue =
                LiveSession.now > lastReport + PlaylistFacts.interval + Double(count) * PlaylistFacts.intervalOfItem
            if isDue { lastReport = LiveSession.now }
            table.withLock { table in
                // It may have left the list meanwhile.
                if table.listed.contains(item) { table.facts[item] = found }
                table.found.append(item)
                if isDue || table.waiting.isEmpty { table.reported = table.count }
            }
        }
    }

    /// The next item to look at, and how many there are; `nil` where there is none, and nobody looks any more.
    private func next() -> (item: PlaylistItemID, count: Int)? {
        table.withLock { table in
            while let item = table.waiting.popLast() {
                // It may have left the list meanwhile.
                if table.listed.contains(item) { return (item, table.listed.count) }
            }
            table.isLooking = false
            return nil
        }
    }

    private func facts(of item: PlaylistItemID) -> Facts {
        var facts = Facts()
        // Nobody is waited for on the network only to show a length.
        guard let document = playlist.document(of: item), !document.file.contains("://") else { return facts }
        do throws(AudioFileError) {
            let stream = try AudioFileStream(path: playlist.path(of: document.file))
            facts.words = Words(playlist.tags(of: item))
            let last = document.end ?? stream.frameCount
            if last < .max {
                facts.duration = Double(max(0, last - document.start)) / stream.sampleRate.hertz
            }
        } catch {
            facts.words = Words(error)
        }
        return facts
    }
}
