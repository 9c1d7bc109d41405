import NIOCore
import Synchronization

/// The event loop of a server, for use from other threads: tasks that are submitted after the server has ended are
/// dropped.
///
/// What was begun before the end, an edit or a picture of a file, may be done after it, when there is no loop to take
/// its answer.
final class ServerLoop: Sendable {
    /// The loop itself, for what runs on it.
    let loop: any EventLoop
    private let isClosed = Mutex(false)

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Runs a task on the loop.
    func execute(_ body: @escaping @Sendable () -> Void) {
        isClosed.withLock { if !$0 { loop.execute(body) } }
    }

    /// Schedules a task on the loop after `time`.
    func execute(in time: TimeAmount, _ body: @escaping @Sendable () -> Void) {
        isClosed.withLock { if !$0 { loop.scheduleTask(in: time, body) } }
    }

    /// Computes a value on the loop; `nil` where the server has ended.
    func ask<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        let answer = isClosed.withLock { $0 ? nil : loop.submit(body) }
        return try? await answer?.get()
    }

    /// Accepts no more tasks; to be called before the loop is shut down.
    func close() { isClosed.withLock { $0 = true } }
}
