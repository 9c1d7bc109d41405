import BarlineTestSupport
import Foundation
import Testing

/// Two programs that want one port, and signals that end a program.
@Suite("Ports and signals")
struct PortTests {
    private func start(_ folder: TemporaryFolder, _ options: [String]) throws -> Program {
        try Program(
            Barline.path, ["run", "--backend", "null", "--no-browser", "--json"] + options,
            environment: Barline.environment.merging([
                "XDG_DATA_HOME": folder.path("data"), "XDG_STATE_HOME": folder.path("state"),
            ]) { $1 })
    }

    private func link(_ program: Program) -> String? {
        program.output.split(separator: "\n").first { $0.contains(#""event":"page""#) }.map(String.init)
    }

    @Test("A port that is asked for and taken is an error that says so; where none is asked for, the next one is taken")
    func taken() throws {
        let folder = try TemporaryFolder()
        let first = try start(folder, ["--port", "0"])
        defer { first.end() }
        #expect(eventually { link(first) != nil })
        let port = try #require(link(first)?.firstMatch(of: /127\.0\.0\.1:(\d+)/)?.1)
        let second = try start(folder, ["--port", String(port)])
        let outcome = try second.wait(timeout: 60)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("can't listen on 127.0.0.1, port \(port): Address already in use"),
            "\(outcome.errors)")
        #expect(first.isRunning)
        let others = try (0..<2).map { _ in try start(folder, []) }
        defer { for other in others { other.end() } }
        #expect(eventually { others.allSatisfy { link($0) != nil } })
        #expect(link(others[0]) != link(others[1]))
    }

    @Test("Where the port for OSC is taken, the option that names another one is said")
    func takenForOSC() throws {
        let folder = try TemporaryFolder()
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try #require(bind(descriptor, address, length) == 0)
                try #require(getsockname(descriptor, address, &length) == 0)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        let outcome = try start(folder, ["--port", "0", "--osc", "\(port)"]).wait(timeout: 60)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Address already in use; choose another one with --osc"), "\(outcome.errors)")
    }

    @Test(
        "Each signal that asks for an end ends it in order, with its number",
        arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM])
    func ending(signal: Int32) throws {
        let folder = try TemporaryFolder()
        let program = try start(folder, ["--no-page", "--events", folder.path("events.jsonl")])
        #expect(eventually { program.output.contains(#""event":"beat""#) })
        program.signal(signal)
        #expect(try program.wait(timeout: 60).status == 128 + signal)
        #expect(try folder.text("events.jsonl").hasSuffix("}\n"))
    }
}
