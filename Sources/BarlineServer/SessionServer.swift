import BarlineEngine
import BarlineHost
import BarlineSession
import BarlineTime
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// Serves a session that plays: its page, its state, and everything that can be done with it.
///
/// All connections live on one thread, and nothing that they do touches the audio thread but the commands that the
/// engine takes.
public final class SessionServer: Sendable {
    /// The address that the page is opened with; it carries the token, where there is one. `nil` where it is not served.
    public var link: String? { links.playing }
    /// The address for those who only watch; `nil` where everybody may play.
    public var watchLink: String? { links.watching }
    /// The port that is listened on; 0 where none is.
    public let port: Int

    private let listenLimiter = ListenLimiter()
    private let core: ServerCore
    private let links: PageLinks
    private let group: MultiThreadedEventLoopGroup
    private let listener: (any NIOCore.Channel)?
    private let ticker: Ticker
    private let machine: Machine
    /// Control over UDP; `nil` where it is off.
    public var osc: OSCServer? { machine.osc }
    private let isEnded = Atomic<Bool>(false)

    /// Begins to serve `session`.
    ///
    /// - Parameters:
    ///   - session: what is served.
    ///   - configuration: where.
    ///   - outputs: changes where the sound goes; `nil` where that can't be changed.
    ///   - facts: what is known of the output now; asked for many times a second.
    /// - Throws: ``ServerError``.
    public init(
        _ session: LiveSession, configuration: ServerConfiguration, outputs: (any OutputControl)? = nil,
        facts: @escaping @Sendable () -> OutputFacts
    ) throws(ServerError) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let hub = SocketHub(session, loop: group.next())
        let analyses = AnalysisStore(session.player.listener)
        let links = PageLinks(AccessKeys(playing: configuration.token, watching: configuration.watchToken))
        let machine = Machine(
            outputs: outputs, host: configuration.oscHost ?? "127.0.0.1",
            access: OSCAccess(allowed: configuration.oscAllowed), links: links, hub: hub, group: group)
        let router = Router(
            session: session, hub: hub, page: PageFiles(folder: configuration.pageFolder), analyses: analyses,
            machine: machine)
        let shared = SharedBox()
        let listener: (any NIOCore.Channel)?
        do throws(ServerError) {
            listener = configuration.servesPage ? try SessionServer.bind(configuration, group) { shared.core } : nil
            try machine.listen(on: configuration.oscPort)
        } catch {
            group.shutdownGracefully { _ in }
            throw error
        }
        let port = listener?.localAddress?.port ?? 0
        let core = ServerCore(configuration, session: session, hub: hub, router: router, links: links, port: port)
        ticker = Ticker(session: session, hub: hub, analyses: analyses, machine: machine, facts: facts)
        hub.loop.execute {
            ServerThread.begin()
            hub.machine = machine
        }
        ticker.prepare()
        shared.core = core
        self.core = core
        self.machine = machine
        self.group = group
        self.listener = listener
        self.port = port
        self.links = links
        if listener != nil { links.serve(host: configuration.host, port: port) }
        ticker.start()
    }

    // MARK: What the host hands over

    /// Tells everybody what has happened; to be called with everything that the player's events give.
    public func publish(_ events: [EngineEvent]) {
        if events.isEmpty || hasStopped { return }
        let (hub, player) = (core.hub, core.session.player)
        let lines = events.compactMap(player.eventValue)
        hub.loop.execute { hub.publish(events, lines: lines) }
    }

    /// Tells everybody something that a person should know.
    public func notify(_ text: String) {
        if hasStopped { return }
        let hub = core.hub
        hub.loop.execute { hub.notify(text) }
    }

    /// Passes on what was played to those who listen; `frame` is the first one's.
    public func takeAudio(left: [Float], right: [Float], frame: Int64, sampleRate: Double) {
        let hub = core.hub
        guard hub.hasListeners, !left.isEmpty, !hasStopped else { return }
        let format = ListenBlock.format(sampleRate: sampleRate)
        var (left, right) = (left, right)
        let first = listenLimiter.limit(
            &left, &right, frame: frame, sampleRate: SampleRate(sampleRate) ?? .standard,
            core.session.player.document.limiter)
        let block = ListenBlock.encoded(left: left, right: right, frame: first)
        hub.loop.execute { hub.sendSound(block, format: format) }
    }

    private var hasStopped: Bool { isEnded.load(ordering: .acquiring) }

    /// Ends: says goodbye to everybody.
    public func stop() {
        if isEnded.exchange(true, ordering: .sequentiallyConsistent) { return }
        ticker.stop()
        let (hub, group) = (core.hub, group)
        listener?.close(promise: nil)
        machine.close()
        hub.loop.execute { hub.closeAll() }
        // Those who do not answer are not waited for.
        _ = try? hub.loop.scheduleTask(in: .milliseconds(50)) {}.futureResult.wait()
        try? group.syncShutdownGracefully()
    }

    // MARK: Listening

    private static func bind(
        _ configuration: ServerConfiguration, _ group: MultiThreadedEventLoopGroup,
        core: @escaping @Sendable () -> ServerCore?
    ) throws(ServerError) -> any NIOCore.Channel {
        let host = configuration.host ?? "127.0.0.1"
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            // What the system holds for a client that does not read is old when it is read.
            .childChannelOption(.socketOption(.so_sndbuf), value: 256 << 10)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 << 10, high: 512 << 10))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let core = core() else { return channel.close(promise: nil) }
                    core.places.admit(channel)
                    try SessionServer.configure(channel, core)
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
                if !isTaken || configuration.port != nil { throw .cannotListen(host: host, port: port, reason: reason) }
            }
        }
        throw .noFreePort(first...last)
    }

    private static func configure(_ channel: any NIOCore.Channel, _ core: ServerCore) throws {
        let http = HTTPHandler(core)
        let upgrader = NIOWebSocketServerUpgrader(maxFrameSize: 1 << 16, automaticErrorHandling: false) {
            channel, head in
            let request = Request(head)
            let isSocket = request.path == "/api/socket" || request.path == "/api/listen"
            guard isSocket, head.method == .GET, case .passes = core.gate.verdict(on: request),
                core.places.recognize(channel)
            else { return channel.eventLoop.makeSucceededFuture(nil) }
            return channel.eventLoop.makeSucceededFuture(HTTPHeaders())
        } upgradePipelineHandler: { channel, head in
            channel.eventLoop.makeCompletedFuture {
                let request = Request(head)
                let kind: SocketHandler.Kind = request.path == "/api/listen" ? .listening : .control
                // It passed before the upgrade; a key that was renewed since then opens nothing.
                guard case .passes(let right) = core.gate.verdict(on: request) else {
                    return channel.close(promise: nil)
                }
                try channel.pipeline.syncOperations.addHandlers([
                    FrameGuard(),
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 64, maxAccumulatedFrameSize: 1 << 16),
                    SocketHandler(kind, right, core),
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

/// What connections need and is there only when the port is known.
private final class SharedBox: Sendable {
    private let box: Mutex<ServerCore?>

    init() { box = Mutex(nil) }

    var core: ServerCore? {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}
