import BarlineOutputs
import BarlineTestSupport
import CRealtime
import Foundation
import Synchronization
import Testing

/// Whatever clients do to the server, the audio callback of a real JACK server is not later than without them.
@Suite("A server under attack", .serialized)
struct AttackTests {
    /// Late blocks as JACK counts them, and as the device's clock tells us that they were missed.
    private struct Late: CustomStringConvertible {
        var blocks = 0
        var xruns: Int64 = 0
        var missed: Int64 = 0

        mutating func add(_ served: ServedSession, seconds: Double, _ body: () throws -> Void) rethrows {
            let (xruns, missed) = (served.supervisor.xrunCount, served.missedFrames)
            let frames = served.supervisor.renderedFrames
            try body()
            Thread.sleep(forTimeInterval: seconds)
            self.xruns += served.supervisor.xrunCount - xruns
            self.missed += (served.missedFrames - missed) / 256
            blocks += Int(served.supervisor.renderedFrames - frames) / 256
        }

        var description: String { "\(blocks) blocks, \(xruns) xruns, \(missed) missed" }
    }

    private static let stretch = 3.0
    private static let rounds = 4
    /// Of blocks that may be late by chance: what a machine has to do besides is not spread evenly.
    private static let chance = 0.01

    /// The niceness of every thread of this process.
    private static func nicenesses() -> [Int] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap { task in
            guard let text = try? String(contentsOfFile: "/proc/self/task/\(task)/stat", encoding: .utf8),
                let name = text.lastIndex(of: ")")
            else { return nil }
            // The fields after the name begin with the third.
            let fields = text[text.index(after: name)...].split(separator: " ")
            return fields.count > 16 ? Int(fields[16]) : nil
        }
    }

    @Test("A hundred clients, floods, malformed, oversized and half-open connections don't make the sound late")
    func attack() async throws {
        let jack = try JackServer()
        defer { jack.end() }
        // A millisecond is less than a block: every one that is missed is reported.
        let document = ServedSession.document.replacing(
            #"{"barline": 1,"#, with: #"{"barline": 1, "resyncThreshold": 1,"#)
        let served = try await ServedSession(document: document, device: { () throws(OutputError) in try JackDevice() })
        {
            $0.requestTimeout = 2
        }
        defer { served.end() }
        #expect(try served.act(#"{"do": "launchScene", "scene": 0}"#).status == 200)
        // The event loop and the ticker at least; who plays goes before them.
        #expect(eventually { AttackTests.nicenesses().count { $0 == 5 } >= 2 })
        var (calm, attacked) = (Late(), Late())
        var deeds = 0
        for _ in 0..<AttackTests.rounds {
            calm.add(served, seconds: AttackTests.stretch) {}
            let attack = Attack(port: served.port)
            attacked.add(served, seconds: AttackTests.stretch) { attack.begin() }
            deeds += attack.end()
            #expect(attack.niceness == 19)
        }
        print("calm: \(calm); attacked \(deeds) times: \(attacked)")
        #expect(deeds > 100 * AttackTests.rounds)
        #expect(calm.blocks > 1_000 && attacked.blocks > 1_000)
        let allowed = Double(attacked.blocks) * AttackTests.chance
        #expect(Double(attacked.xruns) <= 2 * Double(calm.xruns) + allowed)
        #expect(Double(attacked.missed) <= 2 * Double(calm.missed) + allowed)
        // Who asks properly is served after it as before.
        #expect(eventually { (try? served.request("GET", "/api/session").status) == 200 })
    }
}

/// Clients that mean no good, on threads that come after all others: what they need of the machine is not the server's.
private final class Attack: Sendable {
    private let port: Int
    private let shouldStop = Atomic<Bool>(false)
    private let deeds = Atomic<Int>(0)
    private let lowest = Atomic<Int32>(.max)
    private let running = DispatchGroup()

    init(port: Int) { self.port = port }

    func begin() {
        run { self.watch(reads: 80, silent: 20) }
        for deed in [flood, malform, oversize, leaveHalfOpen] {
            run {
                while !self.shouldStop.load(ordering: .acquiring) {
                    deed()
                    self.deeds.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
    }

    /// Ends it; returns how often something was done.
    func end() -> Int {
        shouldStop.store(true, ordering: .releasing)
        running.wait()
        return deeds.load(ordering: .relaxed)
    }

    /// That of the thread that has the least.
    var niceness: Int32 { lowest.load(ordering: .relaxed) }

    private func run(_ body: @escaping @Sendable () -> Void) {
        running.enter()
        let running = running
        let thread = Thread {
            _ = rt_thread_set_niceness(19)
            self.lowest.min(rt_thread_niceness(), ordering: .relaxed)
            body()
            running.leave()
        }
        thread.start()
    }

    /// A hundred pages: most read what they get, the others never do.
    private func watch(reads: Int, silent: Int) {
        let readers = (0..<reads).compactMap { _ in try? TestWebSocket(port: port) }
        let others = (0..<silent).compactMap { _ in try? TestWebSocket(port: port, receiveBuffer: 4 << 10) }
        deeds.wrappingAdd(readers.count + others.count, ordering: .relaxed)
        while !shouldStop.load(ordering: .acquiring) {
            for reader in readers { reader.socket.drain() }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    private func flood() {
        guard let client = try? TestWebSocket(port: port) else { return }
        for _ in 0..<3_000 { client.send(#"{"do": "gain", "track": "t", "db": -1}"#) }
        for _ in 0..<50 { client.send(#"{"do": "nothing", "that": "is known"}"#) }
    }

    private func malform() {
        guard let client = try? TestWebSocket(port: port) else { return }
        switch Int.random(in: 0..<6) {
        case 0: client.sendFrame(1, Array("{}".utf8), isMasked: false)
        case 1: client.sendFrame(1, Array("{}".utf8), reserved: 7)
        case 2: client.sendFrame(1, [0xc3, 0x28])
        case 3: client.sendFrame(0, [1])
        case 4: for _ in 0..<70 { client.sendFrame(1, [0x20], isFinal: false) }
        default: (try? TestSocket(port: port))?.send("GET / HTTP/9.9\r\nHost\r\n\r\n\u{1}\u{2}")
        }
    }

    private func oversize() {
        if let client = try? TestWebSocket(port: port) { client.sendFrame(1, [0x20], announced: 1 << 62) }
        guard let socket = try? TestSocket(port: port) else { return }
        socket.send(
            "POST /api/actions HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
                + "Content-Length: 900000000\r\n\r\n")
        for _ in 0..<64 { socket.send([UInt8](repeating: 0x5b, count: 1 << 16)) }
    }

    private func leaveHalfOpen() {
        let sockets = (0..<20).compactMap { _ in try? TestSocket(port: port) }
        for socket in sockets { socket.send("GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:") }
        Thread.sleep(forTimeInterval: 0.2)
    }
}
