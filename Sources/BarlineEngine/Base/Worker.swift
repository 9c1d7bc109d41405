import BarlineTime
import Foundation
import Synchronization

/// A thread that runs until it is asked to end, and can be joined.
///
/// Its body checks ``shouldEnd`` and returns when that is set:
///
///     private let worker = Worker("barline-null")
///
///     func start() { worker.start { [self] in while !worker.shouldEnd { step() } } }
///     func close() { worker.end() }
///
/// It waits with ``pause(since:seconds:)``, which ``end()`` and ``wake()`` cut short.
package final class Worker: Sendable {
    private let name: String
    private let isStarted = Atomic<Bool>(false)
    private let hasReturned = Atomic<Bool>(false)
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let activity = Activity()

    /// Creates a worker whose thread is not started yet.
    ///
    /// - Parameter name: the thread's name in debuggers and the kernel, at most 15 bytes.
    package init(_ name: String) { self.name = name }

    /// Whether the thread was asked to end.
    package var shouldEnd: Bool { isEnding.load(ordering: .acquiring) }

    /// The number of times it was woken.
    package var wakeCount: Int { activity.count }

    /// Starts the thread; to be called once.
    ///
    /// - Parameter body: what the thread runs, until ``shouldEnd``.
    package func start(_ body: @escaping @Sendable () -> Void) {
        let isFirst = !isStarted.exchange(true, ordering: .acquiringAndReleasing)
        precondition(isFirst, "a worker is started once")
        NamedThread.start(name) { [self] in
            body()
            hasReturned.store(true, ordering: .releasing)
            hasEnded.signal()
        }
    }

    /// Waits for `seconds`, or until woken; returns at once if it was woken since ``wakeCount`` was `seen`. To be
    /// called on the thread itself, or on others that serve it.
    package func pause(since seen: Int, seconds: Double) { activity.wait(since: seen, seconds: seconds) }

    /// Cuts its pause short: there is work to do.
    package func wake() { activity.note() }

    /// Whether the thread has returned.
    package var isOver: Bool { hasReturned.load(ordering: .acquiring) }

    /// Waits until the thread has returned by itself, or until `deadline`; returns at once if it was never started.
    package func awaitEnd(until deadline: DispatchTime) {
        guard isStarted.load(ordering: .acquiring) else { return }
        if hasEnded.wait(timeout: deadline) == .success { hasEnded.signal() }
    }

    /// Tells the thread to end, and returns when it has; at once if it was never started. May be called repeatedly, and
    /// by several threads.
    ///
    /// - Parameter wake: unblocks whatever the thread waits for besides ``pause(since:seconds:)``.
    package func end(waking wake: () -> Void = {}) {
        isEnding.store(true, ordering: .releasing)
        activity.note()
        wake()
        guard isStarted.load(ordering: .acquiring) else { return }
        hasEnded.wait()
        hasEnded.signal()
    }
}
