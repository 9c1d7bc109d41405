import Foundation
import Testing

/// Has a suite's tests begin when there is a processor for them. All tests that wait for something begin at once otherwise, and each
/// keeps what it has rendered until the last one ends: the session's took 18 GB.
package struct FewAtATime: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    private static let turns = Turns(2 * max(2, ProcessInfo.processInfo.activeProcessorCount))

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await FewAtATime.turns.wait()
        do {
            try await function()
        } catch {
            await FewAtATime.turns.end()
            throw error
        }
        await FewAtATime.turns.end()
    }
}

extension Trait where Self == FewAtATime {
    /// The suite's tests begin when there is a processor for them.
    package static var fewAtATime: FewAtATime { FewAtATime() }
}

/// Turns of which some are had at a time, in the order in which they were asked for.
private actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func wait() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func end() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
