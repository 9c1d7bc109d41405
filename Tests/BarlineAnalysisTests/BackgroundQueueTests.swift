import CRealtime
import Foundation
import Synchronization
import Testing

@testable import BarlineAnalysis

/// Long work beside what must not wait.
@Suite("Background queue")
struct BackgroundQueueTests {
    @Test("Work runs in the order of the calls, on threads that come after others")
    func order() async throws {
        let queue = BackgroundQueue(limit: 1)
        let done = Numbers()
        let begun = Numbers()
        let hold = DispatchSemaphore(value: 0)
        let first = Task {
            try await queue.run { _ in
                begun.append(0)
                _ = hold.wait(timeout: .now() + 600)
            }
        }
        try await until { !begun.values.isEmpty }
        var tasks: [Task<Int32, any Error>] = []
        for number in 0..<20 {
            tasks.append(
                Task {
                    try await queue.run { _ in
                        done.append(number)
                        return rt_thread_niceness()
                    }
                })
            // Each is in the queue before the next one comes.
            try await until { queue.waitingCount == number + 1 }
        }
        hold.signal()
        try await first.value
        for task in tasks { #expect(try await task.value == BackgroundQueue.niceness) }
        #expect(done.values == Array(0..<20))
    }

    @Test("What is cancelled while it waits is not begun; what runs sees it")
    func cancellation() async throws {
        let queue = BackgroundQueue(limit: 1)
        let begun = Numbers()
        let running = Task {
            try await queue.run { flag in
                begun.append(1)
                while !flag.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
                try flag.check()
            }
        }
        try await until { !begun.values.isEmpty }
        let waiting = Task { try await queue.run { _ in Issue.record("it was begun") } }
        try await until { queue.waitingCount == 1 }
        waiting.cancel()
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    /// Waits for a condition, without keeping the thread on which a task may have to begin; other tests may keep all of
    /// them for minutes.
    private func until(_ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(600)
        while !condition() {
            try #require(ContinuousClock.now < deadline, "it takes ten minutes")
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

private final class Numbers: Sendable {
    private let list = Mutex<[Int]>([])

    var values: [Int] { list.withLock { $0 } }

    func append(_ number: Int) { list.withLock { $0.append(number) } }
}
