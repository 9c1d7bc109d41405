import Foundation

/// Reading on several threads, for offline rendering.
extension StemSet {
    /// The number of threads that read beside the one that renders.
    private static let readerCount = max(1, min(7, ProcessInfo.processInfo.activeProcessorCount - 1))

    /// Fills every ring of the decks in use, on several cores, if one has less than a block may need.
    func feedTogether() {
        if leastLead >= SourceFeed.plenty { return }
        // What others are filling, nobody else does.
        readers.wait()
        // Each continues while there is a ring with too little data that no other thread is filling.
        DispatchQueue.concurrentPerform(iterations: StemSet.readerCount + 1) { _ in feed() }
    }

    /// Lets other threads read on; all rings hold what a block may need. Those that still read are let read.
    func readOn() {
        if leastLead >= SourceFeed.fullEnough { return }
        for _ in readerThreads.load(ordering: .acquiring)..<StemSet.readerCount {
            readerThreads.wrappingAdd(1, ordering: .relaxed)
            DispatchQueue.global(qos: .userInitiated).async(group: readers) { [self] in
                feed()
                readerThreads.wrappingSubtract(1, ordering: .releasing)
            }
        }
    }

    /// Reads until every ring is full or filled by another thread. The stems are asked for once: to retain sixty-four
    /// of them for every piece, on several cores, takes as long as decoding does.
    private func feed() {
        let stems = takeStems()
        while feedMostUrgent(of: stems) {}
    }

    /// The shortest lead of any ring of a deck in use.
    private var leastLead: Int64 {
        let stems = loaded
        var least = Int64.max
        for deck in 0..<StemSetContent.deckCount where !decks[deck].isIdle {
            for stem in stems { least = min(least, stem.feeds[deck].lead) }
        }
        return least
    }
}
