import BarlineEngine
import BarlineHost
import BarlineSession
import BarlineTime
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// Serves a session that plays: its page, its state, and everything that can be done with it.
///
/// All connections live on one thread, and nothing that they do touches the audio thread but the commands that the
/// engine takes.
package final class SessionServer: Sendable {
    /// The address that the page is opened with; it carries the token, where there is one. `nil` where it is not
    /// served.
    package var link: String? { links.playing }
    /// Why browsers will warn of the page; `nil` where they won't.
    package let linkWarning: String?
    /// The port that is listened on; 0 where none is.
    package let port: Int

    /// Does what is asked for in JSON, as over the socket.
    package let dispatcher: RequestDispatcher
    /// Control over UDP; `nil` where it is off.
    package var osc: OSCServer? { switchboard.server }

    private let listenLimiter = ListenLimiter()
    private let hub: SocketHub
    private let links: PageLinks
    private let subscribers: OSCSubscribers
    private let switchboard: OSCSwitchboard
    private let group: MultiThreadedEventLoopGroup
    private let listener: (any NIOCore.Channel)?
    private let ticker: Ticker
    private let isEnded = Atomic<Bool>(false)

    /// Begins to serve `session`.
    ///
    /// - Parameters:
    ///   - session: what is served.
    ///   - configuration: where.
    ///   - outputs: changes where the sound goes; `nil` where that can't be changed.
    ///   - facts: what is known of the output now; asked for many times a second.
    /// - Throws: ``ServerError``.
    package init(
        _ session: LiveSession, configuration: ServerConfiguration, outputs: (any OutputControl)? = nil,
        facts: @escaping @Sendable () -> OutputFacts
    ) throws(ServerError) {
        let certificate = try configuration.certificate.map { files throws(ServerError) in
            try CertificateRenewal(files)
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let serverLoop = ServerLoop(loop)
        let subscribers = OSCSubscribers(session)
        let links = PageLinks(AccessKeys(playing: configuration.token, watching: configuration.watchToken))
        let access = OSCAccess(allowed: configuration.oscAllowed)
        let switchboard = OSCSwitchboard(
            host: configuration.oscHost ?? "127.0.0.1", access: access, serverLoop: serverLoop, subscribers: subscribers
        )
        let clients = SocketClients()
        let outputs = OutputRequests(outputs)
        let server = ServerRequests(osc: switchboard, access: access, links: links) { generation in
            // The answer goes out before the connection is closed.
            serverLoop.execute(in: .seconds(1)) { clients.close(before: generation) }
        }
        let dispatcher = RequestDispatcher(session, services: [outputs, server])
        let hub = SocketHub(dispatcher, clients: clients, subscribers: subscribers, serverLoop: serverLoop)
        let analyses = AnalysisStore(session.player.listener)
        let state = StatePublisher(
            session, analyses: analyses, outputs: outputs, server: server, facts: facts
        ) { value in
            serverLoop.execute { if hub.publish(value) { subscribers.sendMixer() } }
        }
        let router = Router(
            dispatcher: dispatcher, outputs: outputs, page: PageFiles(folder: configuration.pageFolder),
            analyses: analyses, state: { await SessionServer.fullState(state, hub) })
        let shared = SharedBox()
        switchboard.route(to: dispatcher)
        let listener = try SessionServer.listen(configuration, group, hub, certificate, switchboard) { shared.service }
        let port = listener?.localAddress?.port ?? 0
        loop.execute { ServerThread.begin("barline-net") }
        shared.service = HTTPService(
            configuration, session: session, router: router, serverLoop: serverLoop, keys: links.keys, port: port,
            certificate: certificate)
        ticker = Ticker(session: session, hub: hub, analyses: analyses, state: state)
        self.dispatcher = dispatcher
        self.hub = hub
        self.subscribers = subscribers
        self.switchboard = switchboard
        self.group = group
        self.listener = listener
        self.port = port
        self.links = links
        linkWarning =
            listener == nil
            ? nil : links.serve(host: configuration.host, port: port, certificate: certificate)
        certificate?.watch(every: configuration.renewalInterval, on: loop) { problem in
            serverLoop.execute { hub.notify(problem) }
        }
        ticker.start()
    }

    /// Listens where the configuration says, for the page and for control over UDP.
    ///
    /// - Returns: the page's listener; `nil` where it is not served.
    /// - Throws: ``ServerError``; then all is closed.
    private static func listen(
        _ configuration: ServerConfiguration, _ group: MultiThreadedEventLoopGroup, _ hub: SocketHub,
        _ certificate: CertificateRenewal?, _ switchboard: OSCSwitchboard,
        service: @escaping @Sendable () -> HTTPService?
    ) throws(ServerError) -> (any NIOCore.Channel)? {
        do throws(ServerError) {
            let listener =
                configuration.servesPage ? try bind(configuration, group, hub, certificate, service: service) : nil
            try switchboard.listen(on: configuration.oscPort)
            return listener
        } catch {
            switchboard.close()
            group.shutdownGracefully { _ in }
            throw error
        }
    }

    /// The whole state, with the effects of everything that was answered before.
    private static func fullState(_ state: StatePublisher, _ hub: SocketHub) async -> ByteBuffer? {
        await Blocking.run { _ = state.catchUp() }
        return await hub.serverLoop.ask { hub.wholeState() }
    }

    // MARK: From the host

    /// Sends everybody what has happened; to be called with everything that ``BarlineSession/LiveSession/takeEvents()``
    /// gives.
    package func publish(_ events: [EngineEvent]) {
        if events.isEmpty || hasStopped { return }
        broadcast(events.compactMap(dispatcher.session.player.eventValue))
    }

    /// Sends everybody what has happened, in the objects of the files of events.
    func broadcast(_ lines: [JSONValue]) {
        if lines.isEmpty || hasStopped { return }
        let (hub, subscribers) = (hub, subscribers)
        hub.serverLoop.execute {
            hub.send(events: lines)
            subscribers.send(events: lines)
        }
    }

    /// Broadcasts a notice for people.
    package func notify(_ text: String) {
        if hasStopped { return }
        let hub = hub
        hub.serverLoop.execute { hub.notify(text) }
    }

    /// Passes on what was played to those who listen; `frame` is the first one's.
    package func takeAudio(left: [Float], right: [Float], frame: Int64, sampleRate: Double) {
        let hub = hub
        guard hub.hasListeners, !left.isEmpty, !hasStopped else { return }
        let format = ListenBlock.format(sampleRate: sampleRate)
        var (left, right) = (left, right)
        let first = listenLimiter.limit(
            &left, &right, frame: frame, sampleRate: SampleRate(sampleRate) ?? .standard,
            dispatcher.session.player.document.limiter)
        let block = ListenBlock.encoded(left: left, right: right, frame: first)
        hub.serverLoop.execute { hub.sendSound(block, format: format) }
    }

    /// Whether anybody listens.
    var hasListeners: Bool { hub.hasListeners }

    private var hasStopped: Bool { isEnded.load(ordering: .acquiring) }

    /// Ends, and closes all connections with the reason.
    package func stop() {
        if isEnded.exchange(true, ordering: .sequentiallyConsistent) { return }
        ticker.stop()
        let (hub, group) = (hub, group)
        listener?.close(promise: nil)
        switchboard.close()
        hub.serverLoop.execute { hub.closeAll() }
        // Those who do not answer are not waited for.
        _ = try? hub.serverLoop.loop.scheduleTask(in: .milliseconds(50)) {}.futureResult.wait()
        hub.serverLoop.close()
        try? group.syncShutdownGracefully()
    }

    // MARK: Listening

    private static func bind(
        _ configuration: ServerConfiguration, _ group: MultiThreadedEventLoopGroup, _ hub: SocketHub,
        _ certificate: CertificateRenewal?, service: @escaping @Sendable () -> HTTPService?
    ) throws(ServerError) -> any NIOCore.Channel {
        let host = configuration.host ?? "127.0.0.1"
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // What the system holds for a client that does not read is old when it is read.
            .childChannelOption(.socketOption(.so_sndbuf), value: 256 << 10)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 << 10, high: 512 << 10))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let service = service() else { return channel.close(promise: nil) }
                    service.places.admit(channel)
                    if let certificate {
                        try channel.pipeline.syncOperations.addHandlers([
                            PlainRequestGuard(), NIOSSLServerHandler(context: certificate.current.context),
                        ])
                    }
                    try SessionServer.configure(channel, service, hub)
                }
            }
        let first = configuration.port ?? ServerConfiguration.standardPort
        let last = configuration.port ?? first + 20
        var reason = ""
        for port in first...last {
            do {
                return try bootstrap.bind(host: host, port: port).wait()
            } catch {
                reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
                let isTaken = (error as? IOError)?.errnoCode == EADDRINUSE
                if !isTaken || configuration.port != nil {
                    throw .cannotListen(host: host, port: port, reason: reason, option: "--port")
                }
            }
        }
        throw .noFreePort(first...last)
    }

    private static func configure(_ channel: any NIOCore.Channel, _ service: HTTPService, _ hub: SocketHub) throws {
        let http = HTTPHandler(service)
        let upgrader = NIOWebSocketServerUpgrader(maxFrameSize: 1 << 16, automaticErrorHandling: false) {
            channel, head in
            let request = Request(head)
            let isSocket = request.path == "/api/socket" || request.path == "/api/listen"
            guard isSocket, head.method == .GET, case .passes = service.gate.decision(on: request),
                service.places.recognize(channel)
            else { return channel.eventLoop.makeSucceededFuture(nil) }
            return channel.eventLoop.makeSucceededFuture(HTTPHeaders())
        } upgradePipelineHandler: { channel, head in
            channel.eventLoop.makeCompletedFuture {
                let request = Request(head)
                let kind: SocketHandler.Kind = request.path == "/api/listen" ? .listening : .control
                // It passed before the upgrade; a key that was renewed since then opens nothing.
                guard case .passes(let right) = service.gate.decision(on: request) else {
                    return channel.close(promise: nil)
                }
                try channel.pipeline.syncOperations.addHandlers([
                    FrameGuard(),
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 64, maxAccumulatedFrameSize: 1 << 16),
                    SocketHandler(
                        kind, right, generation: service.gate.keys.generation, hub,
                        timeout: service.configuration.socketTimeout),
                ])
            }
        }
        let here = NIOLoopBound(http, eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: true,
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { context in
                    context.pipeline.syncOperations.removeHandler(here.value, promise: nil)
                }
            ), withErrorHandling: true)
        try channel.pipeline.syncOperations.addHandler(http)
    }
}

/// A box for the service that connections need, which is made only when the port is known.
private final class SharedBox: Sendable {
    private let box: Mutex<HTTPService?>

    init() { box = Mutex(nil) }

    var service: HTTPService? {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}
