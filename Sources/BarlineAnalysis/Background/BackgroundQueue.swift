import BarlineTime
import CRealtime
import Foundation
import Synchronization

/// A queue for long work on threads of its own that run when no other thread needs the processor: as many at a time as
/// there are cores, and one less where there is more than one. A thread with nothing to do for seconds ends.
///
/// Swift's tasks share threads whose priority can't be lowered on Linux; work of seconds would make them wait.
package final class BackgroundQueue: Sendable {
    /// The one that all of a program share.
    package static let shared = BackgroundQueue()

    private typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: [Work] = []
        var threads = 0
        var idle = 0
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)
    private let limit: Int
    /// How much the kernel prefers other threads, 0 … 19.
    static let niceness: Int32 = 10
    /// How long a thread waits for more to do, in seconds.
    private static let idleTimeout = 5.0

    /// A queue with threads of its own.
    ///
    /// - Parameter limit: the most threads; `nil` for as many as suit the machine.
    package init(limit: Int? = nil) { self.limit = limit ?? max(1, ProcessInfo.processInfo.activeProcessorCount - 1) }

    /// Runs a task after those that were queued before it.
    ///
    /// - Parameter body: the work. When the task that waits for it is cancelled, `body` is not begun any more; whether
    ///   it continues once it runs, its argument says.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws, or `CancellationError`.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (CancellationFlag) throws -> Value
    ) async throws -> Value {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add {
                    continuation.resume(
                        with: Result {
                            try flag.check()
                            return try body(flag)
                        })
                }
            }
        } onCancel: {
            flag.cancel()
        }
    }

    /// How much has not been begun.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func add(_ work: @escaping Work) {
        let needsThread = state.withLock { state in
            state.waiting.append(work)
            guard state.idle < state.waiting.count, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        if needsThread {
            // Deep recursion is nowhere, but decoders put their tables on the stack.
            NamedThread.start("barline-analyse", isBackground: true, stackBytes: 4 << 20) { [self] in serve() }
        }
        arrived.signal()
    }

    private func serve() {
        _ = rt_thread_set_niceness(BackgroundQueue.niceness)
        _ = rt_thread_request_batch()
        while true {
            state.withLock { $0.idle += 1 }
            let hasSomething = arrived.wait(timeout: .now() + BackgroundQueue.idleTimeout) == .success
            let (work, isOver) = state.withLock { state -> (Work?, Bool) in
                state.idle -= 1
                if hasSomething { return (state.waiting.removeFirst(), false) }
                // What has arrived in this moment is signalled after it.
                guard state.waiting.isEmpty else { return (nil, false) }
                state.threads -= 1
                return (nil, true)
            }
            if isOver { return }
            work?()
        }
    }
}

/// A flag that cancels running work.
package final class CancellationFlag: Sendable {
    private let isSet = Atomic<Bool>(false)

    init() {}

    /// Whether the work was cancelled.
    package var isCancelled: Bool { isSet.load(ordering: .relaxed) }

    /// Throws where the work was cancelled.
    package func check() throws { if isCancelled { throw CancellationError() } }

    func cancel() { isSet.store(true, ordering: .relaxed) }
}
