import BarlineOutputs
import Foundation

/// A JACK server of the test's own, without a sound device.
///
/// Which server a client connects to is a matter of the process: tests with a server run one after the other.
package final class JackServer {
    /// Why there is no server.
    package struct DidNotStart: Error {
        /// What it said.
        package let output: String
    }

    /// The server's name, which no other server on this machine has.
    package static let name = "barline-test-\(getpid())"

    private let program: Program

    package init(sampleRate: Int = 48_000, blockFrames: Int = 256, waitsForClients: Bool = false) throws {
        setenv("JACK_DEFAULT_SERVER", JackServer.name, 1)
        setenv("JACK_NO_START_SERVER", "1", 1)
        program = try JackServer.launch(
            JackServer.name,
            ["-r"] + (waitsForClients ? ["-S"] : []) + ["-d", "dummy", "-r", "\(sampleRate)", "-p", "\(blockFrames)"]
        ) { JackServer.isRunning }
    }

    /// Whether a server can be connected to.
    package static var isRunning: Bool { (try? JackDevice(name: "barline-probe")) != nil }

    /// Starts `jackd` and waits until it serves.
    ///
    /// A machine has places for eight servers, and one that ended just now may still hold its own: then it is tried
    /// again.
    package static func launch(
        _ name: String, _ arguments: [String], _ serves: () -> Bool
    ) throws -> Program {
        var told = ""
        for _ in 1...10 {
            let program = try Program(
                "jackd", ["-n", name] + arguments, environment: ["JACK_NO_AUDIO_RESERVATION": "1"])
            if eventually(within: 60, { !program.isRunning || serves() }), program.isRunning { return program }
            program.end()
            told = program.output + program.errors
            Thread.sleep(forTimeInterval: 1)
        }
        throw DidNotStart(output: told)
    }

    deinit { end() }

    /// Kills the server, as a crash would.
    package func crash() { program.end() }

    /// Ends the server in an orderly way.
    package func end() {
        if program.isRunning {
            program.signal(SIGTERM)
            _ = try? program.wait(timeout: 5)
        }
        program.end()
    }
}
