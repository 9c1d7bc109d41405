import Synchronization

/// The open WebSockets. Confined to one event loop.
final class SocketClients: @unchecked Sendable {
    private var all: [ObjectIdentifier: SocketHandler] = [:]
    private let counts = Mutex((control: 0, listening: 0))

    /// Whether any client receives positions; from any thread.
    var hasControl: Bool { counts.withLock { $0.control > 0 } }
    /// Whether any client listens to the sound; from any thread.
    var hasListeners: Bool { counts.withLock { $0.listening > 0 } }

    func add(_ client: SocketHandler) {
        all[ObjectIdentifier(client)] = client
        count()
    }

    func remove(_ client: SocketHandler) {
        all[ObjectIdentifier(client)] = nil
        count()
    }

    /// Calls `body` for each client of a kind.
    func forEach(_ kind: SocketHandler.Kind, _ body: (SocketHandler) -> Void) {
        for client in all.values where client.kind == kind { body(client) }
    }

    /// Closes the clients whose access keys are older than a generation.
    func close(before generation: Int) {
        for client in all.values where client.generation < generation { client.close(.goingAway) }
    }

    func closeAll() { for client in all.values { client.close(.goingAway) } }

    private func count() {
        let listening = all.values.count { $0.kind == .listening }
        let control = all.count - listening
        counts.withLock { $0 = (control, listening) }
        assert(checkInvariants(), "clients are counted")
    }

    /// Whether what other threads know of the clients is so.
    private func checkInvariants() -> Bool {
        let counted = counts.withLock { $0 }
        return counted.control == all.values.count { $0.kind == .control }
            && counted.control + counted.listening == all.count
    }
}
