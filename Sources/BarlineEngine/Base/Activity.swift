import Foundation

/// A signal that wakes threads which rest while nothing happens.
///
/// A thread that would otherwise poll many times a second waits here for anything that may be work for it:
///
///     let seen = activity.count
///     if hasNothingToDo() { activity.wait(since: seen, seconds: 0.1) }
///
/// A call of ``note()`` between the two is not missed: the wait returns at once. Not for the audio thread, which never
/// waits.
package final class Activity: Sendable {
    /// The number of signals so far, and whether a thread waits for one.
    private struct State {
        var count = 0
        var waiting: [DispatchSemaphore] = []
    }

    private let state = ControlLock(State())

    /// Creates it with a count of 0.
    package init() {}

    /// The number of signals so far.
    package var count: Int { state.withLock { $0.count } }

    /// Signals: ends every wait.
    package func note() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// Waits for a signal, for `seconds` at most; returns at once if there was one since ``count`` was `seen`.
    package func wait(since seen: Int, seconds: Double) {
        let semaphore = DispatchSemaphore(value: 0)
        let mustWait = state.withLock { state in
            if state.count == seen { state.waiting.append(semaphore) }
            return state.count == seen
        }
        if !mustWait || semaphore.wait(timeout: .now() + seconds) == .success { return }
        state.withLock { state in state.waiting.removeAll { $0 === semaphore } }
    }
}
