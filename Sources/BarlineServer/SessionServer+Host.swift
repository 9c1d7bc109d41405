import BarlineHost
import BarlineOutputs
import BarlineSession

extension SessionServer: HostObserver {
    /// Begins to serve the session of a host. Whoever calls this adds the server to the host's observers.
    ///
    /// - Parameters:
    ///   - host: what plays it.
    ///   - configuration: where.
    ///   - outputs: changes where the sound goes; `nil` where that can't be changed.
    /// - Throws: ``ServerError``.
    package convenience init(
        _ host: SessionHost, configuration: ServerConfiguration, outputs: (any OutputControl)? = nil
    ) throws(ServerError) {
        try self.init(host.session, configuration: configuration, outputs: outputs) { [weak host] in
            host.map(OutputFacts.init) ?? OutputFacts()
        }
    }

    /// Positions are looked at by the server itself, for as long as somebody wants them.
    package var interest: HostInterest { HostInterest(sound: hasListeners) }

    /// Forwards events to all connections.
    package func receive(_ report: HostReport) {
        publish(report.events)
        broadcast(report.outputs.map(\.json))
        for notice in report.notices where notice.audience.contains(.clients) { notify(notice.text) }
        for piece in report.sound {
            takeAudio(
                left: piece.left, right: piece.right, frame: piece.frame.rawValue, sampleRate: piece.sampleRate.hertz)
        }
    }

    /// Closes all connections, each with the reason.
    package func outputWillClose() { stop() }
}

extension OutputFacts {
    /// What a host's output is now.
    init(_ host: SessionHost) {
        let format = host.supervisor.format
        backend = format.backend.rawValue
        name = format.name
        latency = format.latency
        status = host.supervisor.status == .running ? "running" : "lost"
        xruns = host.supervisor.xrunCount
        load = host.supervisor.load
        loudness = host.loudness
    }
}
