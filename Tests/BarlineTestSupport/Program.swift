import BarlineFiles
import Foundation
import Synchronization

/// A program that a test runs: its input is a pipe, its output goes to files.
package final class Program: @unchecked Sendable {
    /// How a program ended.
    package struct Outcome: Sendable {
        /// The exit status; 128 and the signal's number where a signal ended it, as a shell has it.
        package let status: Int32
        /// Standard output.
        package let output: String
        /// Standard error.
        package let errors: String
    }

    /// Why a program gave no outcome.
    package enum Failure: Error, Equatable {
        /// There is no such program.
        case notInstalled(String)
        /// It did not end in time, and was killed.
        case hung(String)
    }

    private let process: ChildProcess
    private let folder: TemporaryFolder
    private let input = Pipe()
    private let name: String

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - name: its path, or its name where it is on the search path.
    ///   - arguments: what it is given.
    ///   - environment: what is added to the test's own environment.
    ///   - folder: where it runs.
    /// - Throws: ``Failure/notInstalled(_:)``, or why it could not be started.
    package init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil
    ) throws {
        self.name = name
        self.folder = try TemporaryFolder()
        var command = [try Program.path(of: name)] + arguments
        if let folder { command = ["/usr/bin/env", "-C", folder] + command }
        for file in ["output", "errors"] { try self.folder.write(file, [UInt8]()) }
        let output = FileHandle(forWritingAtPath: self.folder.path("output"))
        let errors = FileHandle(forWritingAtPath: self.folder.path("errors"))
        process = try ChildProcess(
            command[0], Array(command.dropFirst()),
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: input.fileHandleForReading.fileDescriptor, output: output?.fileDescriptor,
            errors: errors?.fileDescriptor)
        // Who writes to a program that has ended is told.
        try input.fileHandleForReading.close()
        for file in [output, errors] { try file?.close() }
    }

    /// Runs a program to its end.
    @discardableResult
    package static func run(
        _ name: String, _ arguments: [String], input: String = "", environment: [String: String] = [:],
        in folder: String? = nil, timeout: Double = 300
    ) throws -> Outcome {
        let program = try Program(name, arguments, environment: environment, in: folder)
        program.send(input)
        program.closeInput()
        return try program.wait(timeout: timeout)
    }

    private static func path(of name: String) throws -> String {
        if name.contains("/") { return name }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
            return "\(folder)/\(name)"
        }
        throw Failure.notInstalled(name)
    }

    /// The program's number.
    package var identifier: Int32 { process.identifier }

    /// Whether it runs.
    package var isRunning: Bool { process.isRunning }

    /// What it has written to standard output so far.
    package var output: String { (try? folder.text("output")) ?? "" }

    /// What it has written to standard error so far.
    package var errors: String { (try? folder.text("errors")) ?? "" }

    /// Writes to its standard input.
    package func send(_ text: String) { send(Array(text.utf8)) }

    /// Writes to its standard input, as fast as that is read.
    package func send(_ bytes: [UInt8]) { try? input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

    /// Ends its standard input.
    package func closeInput() { try? input.fileHandleForWriting.close() }

    /// Sends it a signal.
    package func signal(_ number: Int32) { process.signal(number) }

    /// Waits for its end, and kills it where that does not come.
    package func wait(timeout: Double = 300) throws -> Outcome {
        guard let status = process.wait(atMost: timeout) else {
            signal(SIGKILL)
            throw Failure.hung("\(name): \(output) \(errors)")
        }
        return Outcome(status: status, output: output, errors: errors)
    }

    /// Ends it where it still runs, and kills it where it does not end.
    package func end() {
        closeInput()
        for number in [SIGTERM, SIGKILL] where process.isRunning {
            signal(number)
            process.wait(atMost: 5)
        }
    }
}
