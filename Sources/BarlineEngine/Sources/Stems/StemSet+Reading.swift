import Foundation

/// Reading on several threads, for offline rendering.
extension StemSet {
    /// The number of threads that read beside the one that renders.
    private static let readerCount = max(1, min(7, ProcessInfo.processInfo.activeProcessorCount - 1))

    /// Fills every ring of the decks in use, on several cores, if one has less than a block may need; else lets other
    /// threads read on.
    func feedTogether() {
        let lead = leastLead
        if lead >= SourceFeed.plenty {
            if lead < SourceFeed.fullEnough { readOn() }
            return
        }
        // What others are filling, nobody else does.
        readers.wait()
        // Each continues while there is a ring with too little data that no other thread is filling.
        DispatchQueue.concurrentPerform(iterations: StemSet.readerCount + 1) { _ in feed() }
    }

    /// Lets other threads read on. Those that still read are let read.
    private func readOn() {
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
        while feedEach(of: stems) {}
    }

    /// Reads a piece for every one of `stems` whose ring has room, of all decks in use. In turn: to look for the one with
    /// the least data before every piece takes as long as a fifth of decoding.
    ///
    /// - Returns: whether there was anything to read.
    private func feedEach(of stems: [LoadedStem]) -> Bool {
        var hasRead = false
        for deck in 0..<StemSetContent.deckCount where !decks[deck].isIdle {
            for stem in stems {
                let feed = stem.feeds[deck]
                if !feed.isBusy, feed.lead < SourceFeed.fullEnough, feed.readOn() { hasRead = true }
            }
        }
        return hasRead
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
