/// A queue of events for one reader, who polls it.
///
/// Every queue receives all events from its creation on. Its capacity is limited: if its reader is too slow, the oldest
/// are dropped and counted.
///
/// ```swift
/// let queue = engine.events.queue()
/// // Once a frame of the display:
/// for event in queue.take() { show(event) }
/// ```
public final class EventQueue: @unchecked Sendable {
    /// The events that were not read yet.
    private struct State {
        let capacity: Int
        var events: [EngineEvent] = []
        var dropped = 0

        /// Whether the invariants hold: it keeps no more than there is room for.
        func checkInvariants() -> Bool { events.count <= capacity && dropped >= 0 }
    }

    private weak var hub: EventHub?
    private let state: ControlLock<State>

    init(hub: EventHub, capacity: Int) {
        self.hub = hub
        state = ControlLock(State(capacity: max(1, capacity))) { $0.checkInvariants() }
    }

    /// Takes the events that have happened since the last call, in order.
    ///
    /// - Complexity: O(*n*) in the events that have happened, for every queue and stream of the engine.
    public func take() -> [EngineEvent] {
        hub?.drain()
        return state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// The number of events dropped because they were not taken in time.
    public var droppedCount: Int { state.withLock { $0.dropped } }

    func add(_ events: [EngineEvent]) {
        state.withLock { state in
            state.events += events
            let excess = state.events.count - state.capacity
            if excess > 0 {
                state.events.removeFirst(excess)
                state.dropped += excess
            }
        }
    }
}
