import Synchronization

/// Fills one deck, or a part of it, on the control side: whichever thread is free makes it read on.
protocol StreamFeed: AnyObject, Sendable {
    /// Whether a thread is reading, perhaps waiting for a disk.
    var isBusy: Bool { get }
    /// Reads a piece, unless another thread does.
    ///
    /// - Returns: whether there was anything to read, and room for it.
    func readOn() -> Bool
}

extension Sequence where Element: StreamFeed {
    /// The feed that lacks most, of those that nobody reads for and that have less than `enough` frames ahead.
    ///
    /// - Complexity: O(*n*) in the feeds.
    func neediest(below enough: Int64, lead: (Element) -> Int64) -> Element? {
        var least = enough
        var neediest: Element?
        for feed in self where !feed.isBusy {
            let ahead = lead(feed)
            if ahead < least {
                least = ahead
                neediest = feed
            }
        }
        return neediest
    }
}

/// Whose turn it is to read: one thread's at a time, and no other waits for it.
struct ReadingTurn: ~Copyable {
    private let isBusy = Atomic<Bool>(false)

    /// Whether a thread reads.
    var isTaken: Bool { isBusy.load(ordering: .acquiring) }

    /// Runs `body`, unless another thread does.
    ///
    /// - Returns: what `body` does; `false` where another thread runs it.
    borrowing func take(_ body: () -> Bool) -> Bool {
        if isBusy.exchange(true, ordering: .acquiringAndReleasing) { return false }
        defer { isBusy.store(false, ordering: .releasing) }
        return body()
    }
}
