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
        program = try Program(
            "jackd",
            ["-n", JackServer.name, "-r"] + (waitsForClients ? ["-S"] : [])
                + ["-d", "dummy", "-r", "\(sampleRate)", "-p", "\(blockFrames)"],
            environment: ["JACK_NO_AUDIO_RESERVATION": "1"])
        let program = program
        guard eventually(within: 60, { !program.isRunning || JackDevice.isServerRunning }), program.isRunning else {
            program.end()
            throw DidNotStart(output: program.output + program.errors)
        }
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
