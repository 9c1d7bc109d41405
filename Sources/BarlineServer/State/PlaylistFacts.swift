import BarlineEngine
import BarlineFiles
import BarlineSession
import Foundation
import Synchronization

/// What the files of a playlist say of themselves: they are looked at once, away from everything that must go on.
final class PlaylistFacts: Sendable {
    /// What is known of an item's file.
    struct Facts: Sendable {
        var tags = AudioTags()
        /// Seconds of what is played of it; `nil` where nobody knows.
        var duration: Double?
        /// Why it can't be played.
        var problem: AudioFileError?
    }

    private struct Table {
        var facts: [PlaylistItemID: Facts] = [:]
        var isLooking = false
        /// Whether the list has changed since the items that are missing were counted.
        var hasChanged = false
    }

    private let playlist: SessionPlaylist
    private let table = Mutex(Table())
    private let generation = Atomic<Int>(0)

    /// Files that are looked at before what was found is told.
    private static let batch = 16

    init(_ playlist: SessionPlaylist) { self.playlist = playlist }

    /// Counts what was found.
    var revision: Int { generation.load(ordering: .relaxed) }

    func known(_ item: PlaylistItemID) -> Facts? { table.withLock { $0.facts[item] } }

    /// Looks at the items that nobody has looked at, and forgets those that are gone. Returns at once.
    func catchUp() {
        let items = Set(playlist.player.items.map(\.id))
        let shouldLook = table.withLock { table in
            table.facts = table.facts.filter { items.contains($0.key) }
            table.hasChanged = true
            if table.isLooking || items.allSatisfy({ table.facts[$0] != nil }) { return false }
            table.isLooking = true
            return true
        }
        if shouldLook { DispatchQueue.global(qos: .utility).async { self.look() } }
    }

    private func look() {
        while true {
            table.withLock { $0.hasChanged = false }
            let missing = playlist.player.items.map(\.id).filter { known($0) == nil }.prefix(PlaylistFacts.batch)
            let isDone = table.withLock { table in
                let isDone = missing.isEmpty && !table.hasChanged
                if isDone { table.isLooking = false }
                return isDone
            }
            if isDone { return }
            if missing.isEmpty { continue }
            for item in missing {
                let found = facts(of: item)
                table.withLock { $0.facts[item] = found }
            }
            generation.wrappingAdd(1, ordering: .relaxed)
        }
    }

    private func facts(of item: PlaylistItemID) -> Facts {
        var facts = Facts()
        // Nobody is waited for on the network only to show a length.
        guard let document = playlist.document(of: item), !document.file.contains("://") else { return facts }
        do throws(AudioFileError) {
            let stream = try AudioFileStream(path: playlist.path(of: document.file))
            facts.tags = playlist.tags(of: item)
            let last = document.end ?? stream.frameCount
            if last < .max {
                facts.duration = Double(max(0, last - document.start)) / stream.sampleRate.hertz
            }
        } catch {
            facts.problem = error
        }
        return facts
    }
}
