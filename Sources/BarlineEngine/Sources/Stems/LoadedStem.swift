/// Owns what a ``StemPart`` points to, on the control side, and has its rings filled.
final class LoadedStem: @unchecked Sendable {
    let stem: Stem
    let part: UnsafePointer<StemPart>
    /// The feeding of every deck's ring.
    let feeds: [StemFeed]

    init(_ stem: Stem, followsTempo: Bool) {
        self.stem = stem
        let storage = UnsafeMutablePointer<StemPart>.allocate(capacity: 1)
        storage.initialize(to: StemPart(sourceRate: stem.source.sampleRate.hertz, offset: Double(stem.offset)))
        part = UnsafePointer(storage)
        feeds = (0..<StemSetContent.deckCount).map { deck in
            StemFeed(stem, ring: storage.pointee.feed(ofDeck: deck), followsTempo: followsTempo)
        }
    }

    deinit {
        let storage = UnsafeMutablePointer(mutating: part)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Whether the audio thread has let go of it.
    var isLeft: Bool { part.pointee.isLeft.load(ordering: .acquiring) }

    /// Has a deck's ring filled from `seconds` on.
    func cue(deck: Int, to seconds: Double) { feeds[deck].restart(at: part.pointee.firstFrame(at: seconds)) }

    /// What went wrong with its source.
    var problem: String? { feeds.lazy.compactMap(\.problem).first }
}
