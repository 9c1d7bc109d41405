import BarlineDSP
import BarlineTime
import Foundation

/// Distributes the events of one engine to all readers.
///
/// Whoever asks for events, a queue that is read or the thread that serves callbacks and sequences, takes what the audio
/// thread has written and gives every queue its copy.
final class EventHub: @unchecked Sendable {
    /// How long the thread that serves callbacks and sequences waits between two rounds, in seconds.
    static let interval = 0.004
    /// The same while the engine is at rest and nothing is sent to it.
    static let restInterval = 0.1

    /// A queue that is given every event, for as long as its reader keeps it alive.
    private struct Listener {
        weak var queue: EventQueue?
    }

    /// The queues and the tasks of an engine.
    private struct State {
        /// Has what the audio thread writes to; `nil` when the engine is gone.
        var link: EngineLink?
        var listeners: [Listener] = []
        var tasks: [Int: @Sendable () -> Void] = [:]
        var nextTask = 0
        var hasThread = false
    }

    private let state: ControlLock<State>
    private let isDelivering = ControlLock(false)
    private let activity: Activity
    private let isManual: Bool

    init(_ link: EngineLink, _ activity: Activity, delivery: EventDelivery) {
        state = ControlLock(State(link: link))
        self.activity = activity
        isManual = delivery == .manual
    }

    // MARK: Queues

    /// A queue for what happens from now on.
    func queue(capacity: Int) -> EventQueue {
        let queue = EventQueue(hub: self, capacity: capacity)
        state.withLock { state in
            distribute(&state)
            state.listeners.append(Listener(queue: queue))
        }
        return queue
    }

    /// Gives every queue what has happened.
    func drain() { state.withLock { distribute(&$0) } }

    private func distribute(_ state: inout State) {
        guard let ring = state.link?.events else { return }
        var events: [EngineEvent] = []
        while let event = ring.pop() { events.append(event) }
        if events.isEmpty { return }
        state.listeners.removeAll { $0.queue == nil }
        for listener in state.listeners { listener.queue?.add(events) }
    }

    /// To be called before the ring's memory is freed: queues keep what they have.
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

    /// Has `task` called again and again on the hub's thread, or by ``deliver()``, until the observation ends.
    func observe(_ task: @escaping @Sendable () -> Void) -> EngineObservation {
        let (number, needsThread) = state.withLock { state in
            let number = state.nextTask
            state.nextTask += 1
            state.tasks[number] = task
            let needsThread = !isManual && !state.hasThread
            state.hasThread = state.hasThread || needsThread
            return (number, needsThread)
        }
        // Who comes while the engine is at rest is served at once.
        activity.note()
        if needsThread { startThread() }
        return EngineObservation(hub: self, number: number)
    }

    func remove(task number: Int) {
        // What the task holds may end with it, and must not do so within the lock.
        let removed = state.withLock { $0.tasks.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Calls every task once, in the order in which they began; nothing happens within such a call.
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

    /// Serves everybody once, on the hub's thread.
    ///
    /// - Returns: whether the engine is at rest; `nil` where there is nobody to serve any more: the thread ends then.
    private func serve() -> Bool? {
        let isAtRest: Bool? = state.withLock { state in
            if state.tasks.isEmpty { state.hasThread = false }
            return state.tasks.isEmpty ? nil : state.link?.isAtRest ?? false
        }
        if isAtRest != nil { deliver() }
        return isAtRest
    }
}
