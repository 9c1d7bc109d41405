import BarlineSession

/// What all connections of a server share.
final class HTTPService: Sendable {
    let configuration: ServerConfiguration
    let session: LiveSession
    let router: Router
    let gate: Gatekeeper
    let places: ConnectionPlaces

    init(
        _ configuration: ServerConfiguration, session: LiveSession, router: Router, keys: AccessKeys, port: Int,
        certificate: ServerCertificate?
    ) {
        self.configuration = configuration
        self.session = session
        self.router = router
        places = ConnectionPlaces(limit: configuration.connectionLimit)
        gate = Gatekeeper(host: configuration.host, port: port, certificate: certificate, keys: keys)
    }
}
