import Foundation

/// A Snapcast server of the test's own on loopback, and clients of it that write what they play to files.
package final class SnapServer {
    /// Why there is no server.
    package struct DidNotStart: Error {
        let output: String
    }

    /// Where its stream `barline` listens.
    package let audioPort: Int
    /// Where it is controlled.
    package let controlPort: Int
    private let streamPort: Int
    private let folder: TemporaryFolder
    private let program: Program
    private var clients: [Program] = []

    package init(sampleFormat: String = "48000:16:2", ports: [Int]? = nil) throws {
        folder = try TemporaryFolder()
        let ports = ports ?? FreePorts.find(3)
        (audioPort, controlPort, streamPort) = (ports[0], ports[1], ports[2])
        try folder.write(
            "s.conf",
            """
            [server]
            datadir = \(folder.path)
            [http]
            enabled = false
            [tcp]
            bind_to_address = 127.0.0.1
            port = \(ports[1])
            [stream]
            bind_to_address = 127.0.0.1
            port = \(ports[2])
            source = tcp://127.0.0.1:\(ports[0])?name=barline&sampleformat=\(sampleFormat)&codec=pcm
            source = pipe://\(folder.path)/fifo?name=other&sampleformat=48000:16:2&codec=pcm&mode=create
            """)
        program = try Program(
            "snapserver", ["-c", folder.path("s.conf"), "--logging.sink=file:\(folder.path("log"))"],
            environment: ["HOME": folder.path])
        guard eventually(within: 60, { log.contains("Number of threads") }) else {
            program.end()
            throw DidNotStart(output: program.output + program.errors + log)
        }
    }

    deinit { end() }

    /// What the server says of itself.
    package var log: String { (try? folder.text("log")) ?? "" }

    /// The ports, for another server in the place of this one.
    package var ports: [Int] { [audioPort, controlPort, streamPort] }

    /// Starts a client that plays to a file.
    package func addClient(_ name: String) throws {
        clients.append(
            try Program(
                "snapclient",
                [
                    "-h", "127.0.0.1", "-p", "\(streamPort)", "--hostID", name,
                    "--player", "file:filename=\(folder.path(name + ".raw"))", "--mixer", "none", "--logsink",
                    "file:\(folder.path(name + ".log"))",
                ],
                environment: ["HOME": folder.path]))
        guard eventually(within: 60, { log.contains("Hello from \(name),") }) else { throw DidNotStart(output: log) }
    }

    /// What a client has played so far, as 16-bit codes of left and right in turn.
    package func played(_ name: String) -> [Int16] {
        let bytes = (try? folder.bytes(name + ".raw")) ?? []
        return stride(from: 0, to: bytes.count - 1, by: 2).map { Int16(bytes[$0]) | Int16(bytes[$0 + 1]) << 8 }
    }

    /// Kills the server, as a crash would.
    package func crash() { program.end() }

    /// Stops the server, as a machine that hangs would.
    package func pause() { program.signal(SIGSTOP) }

    /// Lets it go on.
    package func resume() { program.signal(SIGCONT) }

    /// Ends all.
    package func end() {
        for client in clients { client.end() }
        program.end()
    }
}
