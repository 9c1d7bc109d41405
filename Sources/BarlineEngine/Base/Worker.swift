import BarlineTime
import Foundation
import Synchronization

/// A thread of its own that runs until it is asked to end, and whose end is waited for.
///
/// What it runs looks at ``shouldEnd`` and returns when that is set:
///
///     private let worker = Worker("barline-null")
///
///     func start() { worker.start { [self] in while !worker.shouldEnd { step() } } }
///     func close() { worker.end() }
///
/// Where it waits, it does so by ``pause(since:seconds:)``, which ``end()`` and ``wake()`` cut short.
package final class Worker: Sendable {
    private let name: String
    private let isStarted = Atomic<Bool>(false)
    private let hasReturned = Atomic<Bool>(false)
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let activity = Activity()

    /// A thread that is not started yet.
    ///
    /// - Parameter name: what debuggers and the kernel call it, in 15 bytes.
    package init(_ name: String) { self.name = name }

    /// Whether it was asked to end.
    package var shouldEnd: Bool { isEnding.load(ordering: .acquiring) }

    /// How often it was woken.
    package var wakeCount: Int { activity.count }

    /// Starts the thread; to be called once.
    ///
    /// - Parameter body: what it does until ``shouldEnd``.
    package func start(_ body: @escaping @Sendable () -> Void) {
        let isFirst = !isStarted.exchange(true, ordering: .acquiringAndReleasing)
        precondition(isFirst, "a worker is started once")
        NamedThread.start(name) { [self] in
            body()
            hasReturned.store(true, ordering: .releasing)
            hasEnded.signal()
        }
    }

    /// Waits for `seconds`, or until it is woken; not at all where it was since ``wakeCount`` was `seen`. To be called on
    /// the thread itself, or on others that serve it.
    package func pause(since seen: Int, seconds: Double) { activity.wait(since: seen, seconds: seconds) }

    /// Ends its pause: there is something to do.
    package func wake() { activity.note() }

    /// Whether the thread has come to its end.
    package var isOver: Bool { hasReturned.load(ordering: .acquiring) }

    /// Waits until the thread has come to its end by itself, or until `deadline`; not at all where it was never started.
    package func awaitEnd(until deadline: DispatchTime) {
        guard isStarted.load(ordering: .acquiring) else { return }
        if hasEnded.wait(timeout: deadline) == .success { hasEnded.signal() }
    }

    /// Asks the thread to end, and returns when it has; at once where it was never started. May be called again, and by
    /// several threads.
    ///
    /// - Parameter wake: ends whatever it waits for besides ``pause(since:seconds:)``.
    package func end(waking wake: () -> Void = {}) {
        isEnding.store(true, ordering: .releasing)
        activity.note()
        wake()
        guard isStarted.load(ordering: .acquiring) else { return }
        hasEnded.wait()
        hasEnded.signal()
    }
}
