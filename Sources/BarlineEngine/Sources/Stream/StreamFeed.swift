import Synchronization

/// Fills one deck, or a part of it, on the control side: whichever thread is free makes it read on.
protocol StreamFeed: AnyObject, Sendable {
    /// Whose turn it is to read.
    var turn: ReadingTurn { get }
    /// Reads a piece; by the thread whose turn it is.
    ///
    /// - Returns: whether there was anything to read, and room for it.
    func read() -> Bool
}

extension StreamFeed {
    /// Whether a thread is reading, perhaps waiting for a disk.
    var isBusy: Bool { turn.isTaken }

    /// Whether reading was cancelled.
    var isCancelled: Bool { turn.isCancelled }

    /// Reads a piece, unless another thread does.
    ///
    /// - Returns: whether there was anything to read, and room for it.
    func readOn() -> Bool { turn.take(read) }

    /// Calls reading off: what waits for a disk or a network gives up, and nothing is read any more.
    func cancel() { turn.cancel() }
}

extension Sequence where Element: StreamFeed {
    /// The feed that lacks most, of those that nobody reads for, that were not cancelled and have less than `enough` frames ahead.
    ///
    /// - Complexity: O(*n*) in the feeds.
    func neediest(below enough: Int64, lead: (Element) -> Int64) -> Element? {
        var least = enough
        var neediest: Element?
        for feed in self where !feed.isBusy && !feed.isCancelled {
            let ahead = lead(feed)
            if ahead < least {
                least = ahead
                neediest = feed
            }
        }
        return neediest
    }
}

/// Whose turn it is to read: one thread's at a time, and no other waits for it; nobody's when reading was cancelled.
final class ReadingTurn: Sendable {
    private let isBusy = Atomic<Bool>(false)
    private let isOver = Atomic<Bool>(false)

    /// Whether a thread reads. Where reading was cancelled before and none does, none ever will.
    var isTaken: Bool { isBusy.load(ordering: .sequentiallyConsistent) }

    /// Whether reading was cancelled.
    var isCancelled: Bool { isOver.load(ordering: .sequentiallyConsistent) }

    /// Calls reading off. May be called from any thread.
    func cancel() { isOver.store(true, ordering: .sequentiallyConsistent) }

    /// Runs `body`, unless another thread does or reading was cancelled.
    ///
    /// - Returns: what `body` does; `false` where it was not run.
    func take(_ body: () -> Bool) -> Bool {
        if isBusy.exchange(true, ordering: .sequentiallyConsistent) { return false }
        defer { isBusy.store(false, ordering: .sequentiallyConsistent) }
        return isCancelled ? false : body()
    }
}
