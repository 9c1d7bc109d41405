/// A loaded stem on the control side, with the feeds of its rings.
final class LoadedStem: @unchecked Sendable {
    let stem: Stem
    /// The feed of every deck's ring.
    let feeds: [SourceFeed]
    private let memory: Memory

    /// Owns what a ``StemPart`` points to, as long as a feed uses it.
    private final class Memory: @unchecked Sendable {
        let part: UnsafeMutablePointer<StemPart>

        init(_ stem: Stem) {
            part = .allocate(capacity: 1)
            part.initialize(to: StemPart(stem))
        }

        deinit {
            part.deinitialize(count: 1)
            part.deallocate()
        }
    }

    init(_ stem: Stem, followsTempo: Bool) {
        self.stem = stem
        let memory = Memory(stem)
        self.memory = memory
        feeds = (0..<StemSetContent.deckCount).map { deck in
            var onset = StemOnset(stem, followsTempo: followsTempo)
            var marking = StemMarking(stem, memory.part.pointee.markRing(ofDeck: deck).writer)
            return SourceFeed(
                stem.source, ring: memory.part.pointee.feed(ofDeck: deck), reach: memory.part.pointee.reach
            ) { piece in
                marking?.add(piece)
                let isLoud = onset.enter(piece.left, piece.right, from: piece.first, count: piece.count)
                if let isLoud { memory.part.pointee.setStartsLoud(isLoud, onDeck: deck) }
            }
        }
    }

    var part: UnsafePointer<StemPart> { UnsafePointer(memory.part) }

    /// Whether the audio thread has retired it.
    var isLeft: Bool { part.pointee.isLeft.load(ordering: .acquiring) }

    /// Has a deck's ring filled from `seconds` on.
    func cue(deck: Int, to seconds: Double) { feeds[deck].restart(at: part.pointee.firstFrame(at: seconds)) }

    /// Cancels reading of its source.
    func cancel() {
        for feed in feeds { feed.cancel() }
        stem.stretching?.marks.cancel()
    }

    /// The read error of its source, if any.
    var problem: String? { feeds.lazy.compactMap(\.problem).first }
}
