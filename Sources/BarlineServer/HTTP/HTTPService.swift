import BarlineSession

/// The service that all connections of a server share.
final class HTTPService: Sendable {
    let configuration: ServerConfiguration
    let session: LiveSession
    let router: Router
    let serverLoop: ServerLoop
    let gate: Gatekeeper
    let places: ConnectionPlaces

    init(
        _ configuration: ServerConfiguration, session: LiveSession, router: Router, serverLoop: ServerLoop,
        keys: AccessKeys, port: Int, certificate: CertificateRenewal?
    ) {
        self.configuration = configuration
        self.session = session
        self.router = router
        self.serverLoop = serverLoop
        places = ConnectionPlaces(limit: configuration.connectionLimit)
        gate = Gatekeeper(host: configuration.host, port: port, certificate: certificate, keys: keys)
    }
}
