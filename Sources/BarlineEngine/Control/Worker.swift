import Foundation
import Synchronization

/// A thread of its own that runs until it is told to end, and whose end is waited for.
///
/// What it runs looks at ``shouldEnd`` and returns when that is set:
///
///     private let worker = Worker("barline-null")
///
///     func start() { worker.start { [self] in while !worker.shouldEnd { step() } } }
///     func close() { worker.end() }
package final class Worker: Sendable {
    private let name: String
    private let isStarted = Atomic<Bool>(false)
    private let isEnding = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// A thread that is not started yet.
    ///
    /// - Parameter name: what debuggers and the kernel call it.
    package init(_ name: String) { self.name = name }

    /// Whether it was told to end.
    package var shouldEnd: Bool { isEnding.load(ordering: .acquiring) }

    /// Starts the thread; to be called once.
    ///
    /// - Parameter body: what it does until ``shouldEnd``.
    package func start(_ body: @escaping @Sendable () -> Void) {
        let isFirst = !isStarted.exchange(true, ordering: .acquiringAndReleasing)
        precondition(isFirst, "a worker is started once")
        let thread = Thread { [hasEnded] in
            body()
            hasEnded.signal()
        }
        thread.name = name
        thread.start()
    }

    /// Tells the thread to end, and returns when it has; at once where it was never started. May be called again, and by
    /// several threads.
    package func end() {
        isEnding.store(true, ordering: .releasing)
        guard isStarted.load(ordering: .acquiring) else { return }
        hasEnded.wait()
        hasEnded.signal()
    }
}
