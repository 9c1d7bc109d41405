import BarlineSession

/// What all connections of a server share.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let session: LiveSession
    let hub: SocketHub
    let router: Router
    let gate: Gatekeeper
    let places: ConnectionPlaces

    init(
        _ configuration: ServerConfiguration, session: LiveSession, hub: SocketHub, router: Router, links: PageLinks,
        port: Int
    ) {
        self.configuration = configuration
        self.session = session
        self.hub = hub
        self.router = router
        places = ConnectionPlaces(limit: configuration.connectionLimit)
        gate = Gatekeeper(host: configuration.host, port: port, keys: links.keys)
    }
}
