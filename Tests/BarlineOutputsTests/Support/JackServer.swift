import BarlineTestSupport
import CJack
import Foundation

@testable import BarlineOutputs

/// A JACK server of the test's own, without a sound device.
///
/// Which server a client connects to is a matter of the process: tests with a server run one after the other.
final class JackServer {
    /// Why there is no server.
    struct DidNotStart: Error {
        let output: String
    }

    /// The server's name, which no other server on this machine has.
    static let name = "barline-test-\(getpid())"

    private let program: Program

    init(sampleRate: Int = 48_000, blockFrames: Int = 256, waitsForClients: Bool = false) throws {
        setenv("JACK_DEFAULT_SERVER", JackServer.name, 1)
        setenv("JACK_NO_START_SERVER", "1", 1)
        program = try Program(
            "jackd",
            ["-n", JackServer.name, "-r"] + (waitsForClients ? ["-S"] : [])
                + ["-d", "dummy", "-r", "\(sampleRate)", "-p", "\(blockFrames)"],
            environment: ["JACK_NO_AUDIO_RESERVATION": "1"])
        let program = program
        guard eventually(within: 15, { !program.isRunning || JackDevice.isServerRunning }), program.isRunning else {
            program.end()
            throw DidNotStart(output: program.output + program.errors)
        }
    }

    deinit { end() }

    /// Kills the server, as a crash would.
    func crash() { program.end() }

    /// Ends the server in an orderly way.
    func end() {
        if program.isRunning {
            program.signal(SIGTERM)
            _ = try? program.wait(timeout: 5)
        }
        program.end()
    }
}
