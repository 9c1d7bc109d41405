import Synchronization

/// A feed that fills one deck, or a part of it, on the control side: whichever thread is free makes it read on.
protocol StreamFeed: AnyObject, Sendable {
    /// The lock that lets one thread read at a time.
    var lease: ReadLease { get }
    /// Reads a piece; called by the thread that holds ``turn``.
    ///
    /// - Returns: whether there was anything to read, and room for it.
    func read() -> Bool
}

extension StreamFeed {
    /// Whether a thread is reading, possibly waiting for a disk.
    var isBusy: Bool { lease.isTaken }

    /// Whether reading was cancelled.
    var isCancelled: Bool { lease.isCancelled }

    /// Reads a piece, unless another thread is reading.
    ///
    /// - Returns: whether there was anything to read, and room for it.
    func readOn() -> Bool { lease.take(read) }

    /// Cancels reading: waits for a disk or a network end, and nothing more is read.
    func cancel() { lease.cancel() }
}

extension Sequence where Element: StreamFeed {
    /// The feed with the least data, among those that no thread reads for, that are not cancelled and have less than
    /// `enough` frames ahead.
    ///
    /// - Complexity: O(*n*) in the feeds.
    func mostUrgent(below enough: Int64, lead: (Element) -> Int64) -> Element? {
        var least = enough
        var mostUrgent: Element?
        for feed in self where !feed.isBusy && !feed.isCancelled {
            let ahead = lead(feed)
            if ahead < least {
                least = ahead
                mostUrgent = feed
            }
        }
        return mostUrgent
    }
}

/// A try-lock for reading: one thread at a time, and no other waits for it; nobody once reading was cancelled.
final class ReadLease: Sendable {
    private let isBusy = Atomic<Bool>(false)
    private let isOver = Atomic<Bool>(false)

    /// Whether a thread is reading. If reading was cancelled before and none is, none ever will.
    var isTaken: Bool { isBusy.load(ordering: .sequentiallyConsistent) }

    /// Whether reading was cancelled.
    var isCancelled: Bool { isOver.load(ordering: .sequentiallyConsistent) }

    /// Cancels reading. May be called from any thread.
    func cancel() { isOver.store(true, ordering: .sequentiallyConsistent) }

    /// Runs `body`, unless another thread is reading or reading was cancelled.
    ///
    /// - Returns: the result of `body`; `false` if it was not run.
    func take(_ body: () -> Bool) -> Bool {
        if isBusy.exchange(true, ordering: .sequentiallyConsistent) { return false }
        defer { isBusy.store(false, ordering: .sequentiallyConsistent) }
        return isCancelled ? false : body()
    }
}
