import BarlineTestSupport
import Foundation

/// Inputs that are files, in memory where the system has a place for that.
enum InputFile {
    static let folder: TemporaryFolder = {
        guard let folder = try? TemporaryFolder(in: "/dev/shm") else { preconditionFailure("no folder for inputs") }
        return folder
    }()

    /// Writes an input, and gives its path.
    static func write(_ input: [UInt8], _ name: String) throws -> String {
        let path = folder.path(name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard descriptor >= 0, Foundation.write(descriptor, input, input.count) == input.count else {
            throw BrokenPromise("the input can't be written to \(path)")
        }
        return path
    }
}
