import BarlineDSP
import BarlineTime
import Foundation

/// Distributes the events of one engine to all readers.
///
/// Whichever thread asks for events (a queue's reader, or the thread that serves callbacks and streams) drains the
/// audio thread's ring and copies them to every queue.
final class EventHub: @unchecked Sendable {
    /// The pause between two rounds of the thread that serves callbacks and streams, in seconds.
    static let interval = 0.004
    /// The same while the engine is idle and nothing is sent to it.
    static let restInterval = 0.1

    /// A queue that receives every event, as long as its reader keeps it alive.
    private struct Listener {
        weak var queue: EventQueue?
    }

    /// The queues and tasks of an engine.
    private struct State {
        /// Holds the ring that the audio thread writes to; `nil` once the engine is gone.
        var link: EngineLink?
        var listeners: [Listener] = []
        var tasks: [Int: @Sendable () -> Void] = [:]
        var nextTask = 0
        var hasThread = false

        /// Whether the invariants hold: no task has a number that is still to be given.
        func checkInvariants() -> Bool { tasks.keys.allSatisfy { $0 < nextTask } }
    }

    private let state: ControlLock<State>
    private let isDelivering = ControlLock(false)
    private let activity: Activity
    private let isManual: Bool

    init(_ link: EngineLink, _ activity: Activity, delivery: EventDelivery) {
        state = ControlLock(State(link: link)) { $0.checkInvariants() }
        self.activity = activity
        isManual = delivery == .manual
    }

    // MARK: Queues

    /// Creates a queue of the events from now on.
    func queue(capacity: Int) -> EventQueue {
        let queue = EventQueue(hub: self, capacity: capacity)
        state.withLock { state in
            distribute(&state)
            state.listeners.append(Listener(queue: queue))
        }
        return queue
    }

    /// Distributes new events to every queue.
    func drain() { state.withLock { distribute(&$0) } }

    private func distribute(_ state: inout State) {
        guard let ring = state.link?.events else { return }
        var events: [EngineEvent] = []
        while let event = ring.pop() { events.append(event) }
        if events.isEmpty { return }
        state.listeners.removeAll { $0.queue == nil }
        for listener in state.listeners { listener.queue?.add(events) }
    }

    /// To be called before the ring's memory is freed: queues keep their events.
    func close() {
        drain()
        let tasks = state.withLock { state in
            state.link = nil
            defer { state.tasks = [:] }
            return state.tasks
        }
        for task in tasks.values { task() }
    }

    // MARK: Delivery

    /// Has `task` called repeatedly on the hub's thread, or by ``deliver()``, until the observation ends.
    func observe(_ task: @escaping @Sendable () -> Void) -> EngineObservation {
        let (number, needsThread) = state.withLock { state in
            let number = state.nextTask
            state.nextTask += 1
            state.tasks[number] = task
            let needsThread = !isManual && !state.hasThread
            state.hasThread = state.hasThread || needsThread
            return (number, needsThread)
        }
        // Observers that register while the engine is idle are served at once.
        activity.note()
        if needsThread { startThread() }
        return EngineObservation(hub: self, number: number)
    }

    func remove(task number: Int) {
        // Objects captured by the task may be released with it, which must not happen within the lock.
        let removed = state.withLock { $0.tasks.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Calls every task once, in order of registration; a nested call does nothing.
    func deliver() {
        let isMine = isDelivering.withLock { isDelivering in
            defer { isDelivering = true }
            return !isDelivering
        }
        guard isMine else { return }
        drain()
        let tasks = state.withLock { state in state.tasks.sorted { $0.key < $1.key } }
        for (_, task) in tasks { task() }
        isDelivering.withLock { $0 = false }
    }

    private func startThread() {
        NamedThread.start("barline-events") { [weak self, activity] in
            while true {
                let seen = activity.count
                guard let isAtRest = self?.serve() else { return }
                if isAtRest {
                    activity.wait(since: seen, seconds: EventHub.restInterval)
                } else {
                    Thread.sleep(forTimeInterval: EventHub.interval)
                }
            }
        }
    }

    /// Serves all tasks once, on the hub's thread.
    ///
    /// - Returns: whether the engine is idle; `nil` if there is nobody left to serve, and the thread ends.
    private func serve() -> Bool? {
        let isAtRest: Bool? = state.withLock { state in
            if state.tasks.isEmpty { state.hasThread = false }
            return state.tasks.isEmpty ? nil : state.link?.isAtRest ?? false
        }
        if isAtRest != nil { deliver() }
        return isAtRest
    }
}
