import BarlineEngine
import BarlineTime

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

    /// What is heard on a frame.
    func audible(_ frame: FrameTime) -> PlaylistItemDocument {
        followers.last { $0.frame <= frame }?.document ?? heard
    }
}
