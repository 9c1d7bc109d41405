import BarlineEngine
import BarlineTime
import Synchronization

/// The versions of an item that have taken over from each other, or are about to.
struct ItemVersions {
    /// What was heard before the others.
    private var heard: PlaylistItemDocument
    /// What takes over, and on which frame, in order.
    private var followers: [(frame: FrameTime, document: PlaylistItemDocument)] = []

    init(_ heard: PlaylistItemDocument) { self.heard = heard }

    /// Adds a version that takes over on `frame`.
    ///
    /// - Returns: the version before it.
    mutating func follow(
        with document: PlaylistItemDocument, on frame: FrameTime, now: FrameTime
    ) -> PlaylistItemDocument {
        let last = followers.last?.document ?? heard
        heard = audible(now)
        followers.removeAll { $0.frame <= now }
        followers.append((frame, document))
        return last
    }

    /// The last version takes over on another frame than was thought.
    mutating func move(to frame: FrameTime) {
        if !followers.isEmpty { followers[followers.count - 1].frame = frame }
    }

    /// What is heard on a frame.
    func audible(_ frame: FrameTime) -> PlaylistItemDocument {
        followers.last { $0.frame <= frame }?.document ?? heard
    }
}

extension SessionPlaylist {
    /// The command by which an item was first to continue in another version.
    final class Told: Sendable {
        let command = Mutex<CommandID?>(nil)
    }

    /// That an item continues in another version.
    enum Exchange {
        /// What was asked for to that end, the command by which it does, and its frame; `nil` for the next block.
        case sent([PlaylistAction], CommandID, FrameTime?)
        /// What was sent by a command takes over on another frame than was thought.
        case moved(CommandID, FrameTime)
    }

    /// Called when it is known on which frame an item continues in another version.
    typealias Exchanged = @Sendable (Exchange) -> Void

    /// The items of which documents are versions.
    func versions(
        of documents: Set<PlaylistItemDocument>, among items: some Collection<PlaylistItemID>
    ) -> [PlaylistItemDocument: PlaylistItemID] {
        if documents.isEmpty { return [:] }
        let named = Dictionary(grouping: items) { document(of: $0)?.id }
        var versions: [PlaylistItemDocument: PlaylistItemID] = [:]
        for document in documents {
            versions[document] = named[document.id]?.first { self.document(of: $0).map(document.isVersion) ?? false }
        }
        return versions
    }
}
