import BarlineTestSupport
import Foundation

/// The program under test, built beside the test bundle.
enum Barline {
    /// The program's path.
    static let path: String = {
        let argument = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: argument).deletingLastPathComponent().appendingPathComponent("barline").path
    }()

    /// Without a sound server or a desktop, whatever this machine runs, and with a state of its own.
    static let environment = [
        "JACK_DEFAULT_SERVER": "barline-test-none", "JACK_NO_START_SERVER": "1",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
        "XDG_STATE_HOME": NSTemporaryDirectory() + "barline-test-state-\(ProcessInfo.processInfo.processIdentifier)",
        "XDG_DATA_HOME": NSTemporaryDirectory() + "barline-test-data-\(ProcessInfo.processInfo.processIdentifier)",
    ]

    /// Runs a command to its end.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], in folder: String? = nil
    ) throws -> Program.Outcome {
        try Program.run(
            path, arguments, input: input, environment: Barline.environment.merging(environment) { $1 }, in: folder)
    }

    /// Starts a command.
    static func start(_ arguments: [String]) throws -> Program {
        try Program(path, arguments, environment: environment)
    }
}
