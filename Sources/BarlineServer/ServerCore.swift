import BarlineSession
import NIOCore
import Synchronization

/// What all connections of a server share.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let session: LiveSession
    let hub: SocketHub
    let router: Router
    let gate: Gatekeeper
    private let connections = Atomic<Int>(0)

    init(_ configuration: ServerConfiguration, session: LiveSession, hub: SocketHub, router: Router, port: Int) {
        self.configuration = configuration
        self.session = session
        self.hub = hub
        self.router = router
        gate = Gatekeeper(host: configuration.host, port: port, token: configuration.token)
    }

    /// Counts a connection, until it is closed; `false` where there are too many.
    func admit(_ channel: any Channel) -> Bool {
        let count = connections.wrappingAdd(1, ordering: .relaxed).newValue
        channel.closeFuture.whenComplete { _ in self.connections.wrappingSubtract(1, ordering: .relaxed) }
        return count <= configuration.connectionLimit
    }
}
