import Synchronization

/// Runs one task after the other, in the order in which they come.
final class SerialTasks: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await add(body).value
    }

    func add<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        last.withLock { last in
            let before = last
            let task = Task {
                await before?.value
                return await body()
            }
            last = Task { _ = await task.value }
            return task
        }
    }
}
