import BarlineDSP
import BarlineEngine
import BarlineOutputs
import BarlineServer
import BarlineSession
import BarlineTestSupport
import Foundation
import Synchronization

/// A session that plays to the clock, and the real server of it.
final class ServedSession: Sendable {
    let folder: TemporaryFolder
    let session: LiveSession
    let server: SessionServer
    let supervisor: OutputSupervisor
    private let shouldStop = Atomic<Bool>(false)

    /// The links that the page shows, `play` and `watch`.
    var links: JSONValue {
        get async {
            await withCheckedContinuation { continuation in
                server.dispatcher.perform(["do": "links"]) { continuation.resume(returning: $0["result"] ?? .null) }
            }
        }
    }

    static let document = """
        {"barline": 1, "name": "Set", "launchQuantization": "none", "scenes": [{"name": "Intro"}],
         "tracks": [
          {"id": "t", "name": "One", "clips": [{"id": "a", "file": "a.wav", "beats": 4}, {"id": "b", "file": "a.wav", "beats": 2}]},
          {"id": "u", "name": "Two", "clips": [{"id": "c", "file": "a.wav", "beats": 8}]}]}
        """

    /// - Parameters:
    ///   - document: the session; the usual one where it is `nil`.
    ///   - open: opens what it plays to.
    ///   - configure: adapts the server.
    /// - Throws: what keeps it from being served.
    init(
        document: String? = nil,
        device open: @escaping OutputSupervisor.Opening = { () throws(OutputError) in NullDevice(blockFrames: 256) },
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        var random = TestRandom(seed: 5)
        try folder.write("a.wav", WaveFile((0..<48_000).map { _ in random.amplitude() / 2 }).bytes)
        let path = try folder.write("set.barline", document ?? ServedSession.document)
        let device = try open()
        let player = try await SessionPlayer(SessionDocument(path: path), path: path) { configuration in
            configuration.reserveForEditing()
            configuration.tapFrames = 1 << 16
            configuration.limiter = LimiterSettings()
        }
        let library = SessionLibrary(
            folder: URL(fileURLWithPath: folder.path("library"), isDirectory: true),
            state: URL(fileURLWithPath: folder.path("state"), isDirectory: true))
        session = LiveSession(player, library: library)
        supervisor = try OutputSupervisor(device, engine: player.engine, busNames: ["main"], reopenWith: open)
        var configuration = ServerConfiguration()
        configuration.port = 0
        configure(&configuration)
        let supervisor = supervisor
        server = try SessionServer(session, configuration: configuration) {
            var facts = OutputFacts()
            facts.latency = supervisor.format.latency
            facts.xruns = supervisor.xrunCount
            return facts
        }
        let thread = Thread { [weak self] in
            while let self, !self.shouldStop.load(ordering: .acquiring) { self.step() }
        }
        thread.start()
    }

    private func step() {
        let events = session.takeEvents()
        for event in events {
            if case .transport(.clockJumped(let frames)) = event.kind {
                missed.wrappingAdd(abs(frames), ordering: .relaxed)
            }
        }
        server.publish(events)
        let frames = 4096
        let storage = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
        defer { storage.deallocate() }
        let count = session.player.engine.readTap(left: storage, right: storage + frames, frames: frames)
        let left = Array(UnsafeBufferPointer(start: storage, count: count))
        let right = Array(UnsafeBufferPointer(start: storage + frames, count: count))
        server.takeAudio(left: left, right: right, frame: taken.load(ordering: .relaxed), sampleRate: 48_000)
        taken.wrappingAdd(Int64(count), ordering: .relaxed)
        Thread.sleep(forTimeInterval: 0.005)
    }

    private let taken = Atomic<Int64>(0)
    private let missed = Atomic<Int64>(0)

    /// Frames that the device's clock has gone on without us.
    var missedFrames: Int64 { missed.load(ordering: .relaxed) }

    var port: Int { server.port }

    func end() {
        shouldStop.store(true, ordering: .releasing)
        server.stop()
        supervisor.stop()
    }

    /// Asks for something on a connection of its own.
    func request(
        _ method: String, _ target: String, headers: [String: String] = [:], host: String? = nil, body: [UInt8]? = nil
    ) throws -> HTTPAnswer {
        try TestSocket(port: port).request(method, target, headers: headers, host: host, body: body, port: port)
    }

    /// Performs actions over HTTP.
    func act(_ json: String) throws -> HTTPAnswer {
        try request("POST", "/api/actions", headers: ["Content-Type": "application/json"], body: Array(json.utf8))
    }
}

/// Serves a session for as long as a test runs.
func serving(
    document: String? = nil, configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (ServedSession) async throws -> Void
) async throws {
    let served = try await ServedSession(document: document, configure: configure)
    defer { served.end() }
    try await withTaskExecutorPreference(WaitingThreads()) { try await body(served) }
}

/// Runs what waits for sockets on threads of its own: the few that run every other task must stay free for the server.
private final class WaitingThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
