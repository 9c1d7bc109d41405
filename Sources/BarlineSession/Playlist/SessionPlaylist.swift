import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation
import Synchronization

/// The playlist of a session, its items bound to the engine's.
public final class SessionPlaylist: Sendable {
    /// The player.
    public let player: PlaylistPlayer
    /// The quality in which items are resampled that are played at a speed or pitch of their own.
    private let quality: VarispeedQuality
    private let table: Mutex<Table>

    private struct Table {
        /// The documents of all items that there have been, by their numbers, which begin at 1.
        private var known: [PlaylistItemDocument] = []
        /// What was read of files last.
        private var tags: [Int: AudioTags] = [:]
        /// The numbers of the items that have, or had, an identifier.
        var numbers: [String: [Int]] = [:]
        /// The number from which on a free identifier is looked for: identifiers are never free again.
        var nextID = 1
        var folder: URL
        /// How items are heard that are not yet heard as they are by now.
        var versions: [PlaylistItemID: ItemVersions] = [:]
        /// The list as it was asked for last.
        private var listed: (order: [PlaylistItemID], documents: SharedList<PlaylistItemDocument>) = ([], SharedList())

        init(folder: URL) { self.folder = folder }

        /// The tags of so many files are kept: those of items that are played and shown, not of a whole collection.
        private static let tagCapacity = 256

        /// Gives a new item a number.
        mutating func add(_ document: PlaylistItemDocument) -> Int {
            known.append(document)
            numbers[document.id, default: []].append(known.count)
            return known.count
        }

        func document(_ number: Int) -> PlaylistItemDocument? {
            known.indices.contains(number - 1) ? known[number - 1] : nil
        }

        func tags(_ number: Int) -> AudioTags? { tags[number] }

        mutating func keep(_ read: AudioTags, of number: Int) {
            if tags.count >= Table.tagCapacity { tags = [:] }
            tags[number] = read
        }

        /// Gives an item another document.
        mutating func change(_ item: PlaylistItemID, to document: PlaylistItemDocument) {
            known[item.rawValue - 1] = document
            if let place = listed.order.firstIndex(of: item) {
                listed.documents.replace(place..<place + 1, with: CollectionOfOne(document))
            }
        }

        /// Takes in which documents the items have that are listed.
        mutating func list(_ documents: SharedList<PlaylistItemDocument>, in order: [PlaylistItemID]) {
            listed = (order, documents)
        }

        /// The documents of items, of which only those are looked up that have changed their places since the last
        /// time.
        mutating func documents(in order: [PlaylistItemID]) -> SharedList<PlaylistItemDocument> {
            let old = listed.order
            let (head, tail) = old.common(with: order)
            if head == old.count, head == order.count { return listed.documents }
            let changed = order[head..<order.count - tail]
            let found = changed.compactMap { document($0.rawValue) }
            guard found.count == changed.count else {
                return SharedList(order.compactMap { document($0.rawValue) })
            }
            listed.documents.replace(head..<old.count - tail, with: found)
            listed.order = order
            return listed.documents
        }
    }

    init(
        _ documents: SharedList<PlaylistItemDocument>, path: String, engine: Engine, seed: UInt64 = 0
    ) throws(EngineError) {
        table = Mutex(Table(folder: URL(fileURLWithPath: path).deletingLastPathComponent()))
        quality = engine.configuration.varispeed
        player = try PlaylistPlayer(on: engine, seed: seed, feeding: .manual, log: SessionPlaylist.log())
        try player.insert(documents.map { item(for: $0) }, at: 0)
        let order = player.order
        table.withLock { $0.list(documents, in: order) }
    }

    /// The current items as documents.
    ///
    /// - Complexity: O(*n*) in the items.
    public var documents: [PlaylistItemDocument] { Array(listing.documents) }

    /// The items and their documents, as they are listed now.
    ///
    /// - Complexity: O(*n*) comparisons of numbers after an edit; what is made again is what it has changed.
    package var listing: (items: [PlaylistItemID], documents: SharedList<PlaylistItemDocument>) {
        let order = player.order
        return (order, table.withLock { $0.documents(in: order) })
    }

    /// The document of an item, also of one that has left the list.
    package func document(of item: PlaylistItemID) -> PlaylistItemDocument? {
        table.withLock { $0.document(item.rawValue) }
    }

    /// What an item is called: its title in the list, else in the file's tags, else the file's name.
    package func title(of item: PlaylistItemID) -> String {
        guard document(of: item)?.title == nil else { return name(of: item) }
        let tags = tags(of: item)
        guard let title = tags.title else { return name(of: item) }
        return tags.artist.map { "\($0) – \(title)" } ?? title
    }

    /// What an item is called as far as that is known without looking into its file.
    package func name(of item: PlaylistItemID) -> String {
        guard let document = document(of: item) else { return "" }
        return document.title ?? URL(fileURLWithPath: document.file).deletingPathExtension().lastPathComponent
    }

    /// What an item's file says of the music in it; an address says nothing. What was read last is kept.
    package func tags(of item: PlaylistItemID) -> AudioTags {
        if let known = table.withLock({ $0.tags(item.rawValue) }) { return known }
        guard let document = document(of: item), !document.file.contains("://") else { return AudioTags() }
        let tags = (try? AudioTags(path: path(of: document.file))) ?? AudioTags()
        table.withLock { $0.keep(tags, of: item.rawValue) }
        return tags
    }

    /// Problems with items, one line each.
    ///
    /// - Complexity: O(*n*) in the items.
    public var problems: [String] {
        player.failures.sorted { $0.key.rawValue < $1.key.rawValue }.map { item, reason in
            "\(document(of: item)?.id ?? "item"): \(reason)"
        }
    }

    /// Makes a document an item of the engine's.
    func item(for document: PlaylistItemDocument) -> PlaylistItem {
        let number = table.withLock { $0.add(document) }
        return item(PlaylistItemID(number), document)
    }

    private func item(_ number: PlaylistItemID, _ document: PlaylistItemDocument) -> PlaylistItem {
        document.item(number, PlaylistItemFile(path: path(of: document.file)), quality: quality)
    }

    /// Has an item be what `document` says, which is a version of what it is; if it plays it continues where it is.
    ///
    /// - Returns: whether it does; `exchanged` is called then.
    private func become(
        _ item: PlaylistItemID, _ document: PlaylistItemDocument, at moment: (any Moment)?,
        _ exchanged: @escaping Exchanged
    ) -> Bool {
        let isAwaited = player.isAwaiting(item)
        // Nothing is to be noted of what is on its way already.
        guard let old = self.document(of: item), old != document else { return isAwaited }
        table.withLock { table in
            table.change(item, to: document)
            if !isAwaited || table.versions[item] == nil { table.versions[item] = ItemVersions(old) }
        }
        let told = Told()
        let isToCome = player.exchange(
            with: self.item(item, document), at: moment, slower: old.speed / document.speed
        ) { [weak self] command, frame in
            guard let self else { return }
            let first = told.command.withLock { first in
                defer { first = first ?? command }
                return first
            }
            guard let first else {
                return exchanged(.sent(steps(of: item, to: document, on: frame), command, frame))
            }
            let frame = frame ?? player.frame
            table.withLock { $0.versions[item]?.move(to: frame) }
            exchanged(.moved(first, frame))
        }
        // Of what does not play, no version is heard before another one.
        if !isToCome { table.withLock { $0.versions[item] = nil } }
        return isToCome
    }

    /// What makes an item, as it is heard before `frame` or the next block, the version that takes over there.
    private func steps(
        of item: PlaylistItemID, to new: PlaylistItemDocument, on frame: FrameTime?
    ) -> [PlaylistAction] {
        let now = player.frame
        let old = table.withLock { $0.versions[item]?.follow(with: new, on: frame ?? now, now: now) }
        guard let old else { return [] }
        // By then the list may be another one.
        var steps: [PlaylistAction] = []
        if old.transpose != new.transpose { steps.append(.change(id: new.id, .transpose(new.transpose))) }
        if old.formants != new.formants { steps.append(.change(id: new.id, .formants(new.formants))) }
        if old.speed != new.speed { steps.append(.change(id: new.id, .speed(new.speed))) }
        return steps
    }

    /// The same items, but that those which are heard in another version until they continue, or are left, are that.
    func audible(_ documents: SharedList<PlaylistItemDocument>) -> SharedList<PlaylistItemDocument> {
        var documents = documents
        for item in player.awaited {
            guard let audible = table.withLock({ $0.versions[item]?.audible(player.frame) }),
                let place = document(of: item).flatMap({ documents.firstIndex(of: $0) })
            else { continue }
            documents.replace(place..<place + 1, with: CollectionOfOne(audible))
        }
        return documents
    }

    /// Changes how the item at `index`, or the current one, is played.
    private func change(
        _ index: Int?, at moment: (any Moment)?, _ exchanged: @escaping Exchanged,
        _ body: (inout PlaylistItemDocument) -> Void
    ) throws(EngineError) -> Outcome {
        let order = player.order
        guard let index = index ?? player.currentIndex, order.indices.contains(index),
            var document = document(of: order[index])
        else { throw .unknownItem(index: index ?? 0, count: order.count) }
        body(&document)
        return become(order[index], document, at: moment, exchanged) ? .isToCome : .isDone
    }

    /// Makes `documents` the list. What is the same in both plays on, also where the session has another folder and
    /// names its files from there; of another session nothing is the same.
    func become(
        _ documents: SharedList<PlaylistItemDocument>, path: String, isAnother: Bool = false,
        exchanged: @escaping Exchanged = { _ in }
    ) throws(EngineError) {
        if isAnother { player.callOffScheduled() }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let former = table.withLock { table in
            defer { table.folder = folder }
            return table.folder
        }
        let isMoved = former != folder
        func located(_ document: PlaylistItemDocument, _ folder: URL) -> PlaylistItemDocument {
            if !isMoved { return document }
            var document = document
            document.file = SessionPlaylist.path(of: document.file, folder)
            return document
        }
        let items = isMoved && isAnother ? [] : player.items
        let known = Dictionary(items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let numbers = table.withLock { table in
            Dictionary(
                known.keys.compactMap { item in
                    table.document(item.rawValue).map { (located($0, former), item.rawValue) }
                }
            ) { min($0, $1) }
        }
        // What is only played at another speed or pitch than before is the same item.
        var versions = isMoved ? [:] : versions(of: Set(documents).subtracting(numbers.keys), among: known.keys)
        try player.continue(
            with: documents.map { document in
                if let version = versions.removeValue(forKey: document), let item = known[version] {
                    _ = become(version, document, at: nil, exchanged)
                    return item
                }
                guard let number = numbers[located(document, folder)], let old = known[PlaylistItemID(number)] else {
                    return item(for: document)
                }
                if isMoved { table.withLock { $0.change(old.id, to: document) } }
                return old
            })
    }

    /// The path, or the address, that a document's file is at.
    package func path(of file: String) -> String { SessionPlaylist.path(of: file, table.withLock { $0.folder }) }

    private static func path(of file: String, _ folder: URL) -> String {
        file.contains("://") ? file : URL(fileURLWithPath: file, relativeTo: folder).path
    }

    // MARK: Actions

    /// Completes an action with what is chosen for it: an identifier, a seed.
    func completed(_ action: PlaylistAction) -> PlaylistAction {
        switch action {
        case .insert(let index, let file, nil, let title):
            .insert(index: index, file: file, id: freeID(), title: title)
        case .replace(let index, let file, nil, let title):
            .replace(index: index, file: file, id: freeID(), title: title)
        case .transpose(nil, let semitones):
            .transpose(index: player.currentIndex, semitones: semitones)
        case .formants(nil, let semitones): .formants(index: player.currentIndex, semitones: semitones)
        case .speed(nil, let value): .speed(index: player.currentIndex, value: value)
        case .shuffle(true, seed: nil): .shuffle(true, seed: UInt64.random(in: 0..<(1 << 53)))
        default: action
        }
    }

    private func freeID() -> String {
        table.withLock { table in
            while table.numbers["p\(table.nextID)"] != nil { table.nextID += 1 }
            return "p\(table.nextID)"
        }
    }

    /// Whether an identifier is that of an item of the list.
    func has(id: String) -> Bool {
        let numbers = table.withLock { $0.numbers[id] ?? [] }
        return numbers.contains { player.has(PlaylistItemID($0)) }
    }

    /// What becomes of an action.
    enum Outcome {
        /// The engine has been sent it.
        case sent(CommandID)
        /// The engine is sent it when its audio is there.
        case isToCome
        case isDone
    }

    /// - Parameters:
    ///   - action: what is to be done.
    ///   - moment: when; `nil` for as soon as possible. What the engine is not sent is done at once.
    ///   - sent: called with the command by which the engine is sent what starts something.
    ///   - exchanged: called when an item continues in another version.
    /// - Returns: what becomes of it.
    /// - Throws: where there is no such item, or the engine takes no more.
    func perform(
        _ action: PlaylistAction, at moment: (any Moment)?, sent: @escaping PlaylistPlayer.Sent,
        exchanged: @escaping Exchanged
    ) throws(EngineError) -> Outcome {
        log(action)
        switch action {
        case .play: player.play(at: moment, sent: sent)
        case .playIndex(let index): try player.play(index: index, at: moment, sent: sent)
        case .pause: player.pause(at: moment, sent: sent)
        case .stop: player.stop(at: moment, sent: sent)
        case .next: player.next(at: moment, sent: sent)
        case .previous: player.previous(at: moment, sent: sent)
        case .seek(let seconds): player.seek(to: seconds, at: moment, sent: sent)
        case .gain(let db): return .sent(try player.setGain(Decibels(db), at: moment))
        case .transpose(let index, let semitones):
            return try change(index, at: moment, exchanged) { $0.transpose = semitones }
        case .formants(let index, let semitones):
            return try change(index, at: moment, exchanged) { $0.formants = semitones }
        case .speed(let index, let value): return try change(index, at: moment, exchanged) { $0.speed = value }
        case .change(let id, let change):
            // What is gone is as it was left.
            guard let index = player.order.firstIndex(where: { document(of: $0)?.id == id }) else { return .isDone }
            return try self.change(index, at: moment, exchanged) { change.apply(to: &$0) }
        default: return try edit(action, at: moment, sent) ? .isToCome : .isDone
        }
        return .isToCome
    }

    /// Does what the engine is not sent, but for what starts by it.
    ///
    /// - Returns: whether something starts or stops by it.
    private func edit(
        _ action: PlaylistAction, at moment: (any Moment)?, _ sent: @escaping PlaylistPlayer.Sent
    ) throws(EngineError) -> Bool {
        switch action {
        case .insert(let index, let file, let id, let title):
            try player.insert([item(for: PlaylistItemDocument(id: id ?? "", file: file, title: title))], at: index)
        case .remove(let index): return try player.remove(at: index, at: moment, sent: sent)
        case .move(let from, let target): try player.move(from: from, to: target)
        case .replace(let index, let file, let id, let title):
            let document = PlaylistItemDocument(id: id ?? "", file: file, title: title)
            return try player.replace(at: index, with: item(for: document), at: moment, sent: sent)
        case .clear: return player.clear(at: moment, sent: sent)
        case .repeat(let value): player.modes.repeat = value
        case .shuffle(let isOn, let seed): player.setShuffle(isOn, seed: seed ?? 0)
        case .single(let isOn): player.modes.isSingle = isOn
        case .consume(let isOn): player.modes.consumes = isOn
        case .stopAfterCurrent(let isOn): player.modes.stopsAfterCurrent = isOn
        case .crossfade(let seconds): player.crossfade = seconds
        case .play, .playIndex, .pause, .stop, .next, .previous, .seek, .gain, .transpose, .formants, .speed, .change:
            break
        }
        return false
    }
}

extension PlaylistAction {
    /// Whether the engine reports by a command's event when it was done.
    var isCommand: Bool {
        switch self {
        case .play, .playIndex, .pause, .stop, .next, .previous, .seek, .gain: true
        default: false
        }
    }

    /// Whether another item may start by it, or the list stop.
    var mayStartAnother: Bool {
        switch self {
        case .remove, .replace, .clear: true
        default: false
        }
    }
}
