import BarlineTestSupport
import Foundation

/// A session bus of the tests' own, which the process takes for its session's.
final class BusDaemon {
    /// Why there is no bus.
    struct DidNotStart: Error {
        let output: String
    }

    let address: String
    private let program: Program

    init() throws {
        program = try Program("dbus-daemon", ["--session", "--nofork", "--print-address=1"])
        let program = program
        guard eventually({ program.output.contains("\n") }), let line = program.output.split(separator: "\n").first
        else {
            program.end()
            throw DidNotStart(output: program.output + program.errors)
        }
        address = String(line)
        setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
    }

    deinit { end() }

    func end() { program.end() }

    /// Runs a program on the bus.
    func run(_ name: String, _ arguments: [String]) throws -> Program.Outcome {
        try Program.run(name, arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
    }

    /// Starts a program on the bus.
    func start(_ name: String, _ arguments: [String]) throws -> Program {
        try Program(name, arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
    }
}
