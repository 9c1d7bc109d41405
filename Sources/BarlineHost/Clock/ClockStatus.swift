import Synchronization

/// How the clock that is followed stands, for any thread.
package final class ClockStatus: Sendable {
    /// The state of a clock that is followed.
    package enum State: String, Hashable, Sendable {
        /// No tick has come.
        case waiting
        /// Its ticks set the tempo.
        case following
        /// Ticks have stopped coming: its latest tempo is kept.
        case lost
    }

    /// What is followed.
    package let source: ClockSource
    private let present: Mutex<State?>

    /// Nothing has come from `source`.
    package init(_ source: ClockSource) {
        self.source = source
        present = Mutex(source == .internal ? nil : .waiting)
    }

    /// The state; `nil` where no other clock is followed.
    package internal(set) var state: State? {
        get { present.withLock { $0 } }
        set { present.withLock { $0 = newValue } }
    }
}
