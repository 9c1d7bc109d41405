import Synchronization

/// The WebSockets that are open. Lives on one event loop.
final class SocketClients: @unchecked Sendable {
    private var all: [ObjectIdentifier: SocketHandler] = [:]
    private let counts = Mutex((control: 0, listening: 0))

    /// Whether anybody wants positions; for any thread.
    var hasControl: Bool { counts.withLock { $0.control > 0 } }
    /// Whether anybody listens; for any thread.
    var hasListeners: Bool { counts.withLock { $0.listening > 0 } }

    func add(_ client: SocketHandler) {
        all[ObjectIdentifier(client)] = client
        count()
    }

    func remove(_ client: SocketHandler) {
        all[ObjectIdentifier(client)] = nil
        count()
    }

    /// Does something for all of a kind.
    func forEach(_ kind: SocketHandler.Kind, _ body: (SocketHandler) -> Void) {
        for client in all.values where client.kind == kind { body(client) }
    }

    /// Closes those that came with keys older than a generation.
    func close(before generation: Int) {
        for client in all.values where client.generation < generation { client.close(.goingAway) }
    }

    func closeAll() { for client in all.values { client.close(.goingAway) } }

    private func count() {
        let listening = all.values.count { $0.kind == .listening }
        let control = all.count - listening
        counts.withLock { $0 = (control, listening) }
    }
}
