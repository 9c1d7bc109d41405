import Foundation

/// A folder of its own for a test, removed with everything in it when nobody holds it any more.
package final class TemporaryFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// Makes one, within `place` where there is such a folder, else where the system has them.
    package init(in place: String? = nil) throws {
        var folder = FileManager.default.temporaryDirectory
        if let place, FileManager.default.fileExists(atPath: place) {
            folder = URL(fileURLWithPath: place, isDirectory: true)
        }
        let url = folder.appendingPathComponent("barline-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of `name` within the folder.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a folder within the folder.
    @discardableResult
    package func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return path(name)
    }

    /// Writes a text file and returns its path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    /// The bytes of a file.
    package func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// A text file.
    package func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    /// The names of what is in the folder, in order.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
