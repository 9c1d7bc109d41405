import Foundation

/// Wakes threads that rest while nothing happens.
///
/// A thread that would look many times a second, and in vain, waits here for what may change that:
///
///     let seen = activity.count
///     if hasNothingToDo() { activity.wait(since: seen, seconds: 0.1) }
///
/// What is noted between the two is not missed: the wait ends at once. Of no use to the audio thread, which never waits.
package final class Activity: Sendable {
    /// The count of what was noted, and whether somebody waits for it.
    private struct State {
        var count = 0
        var waiting: [DispatchSemaphore] = []
    }

    private let state = ControlLock(State())

    /// Nothing was noted yet.
    package init() {}

    /// How often something was noted.
    package var count: Int { state.withLock { $0.count } }

    /// Ends every wait.
    package func note() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// Waits until something is noted, for `seconds` at most; not at all where something was since ``count`` was `seen`.
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
