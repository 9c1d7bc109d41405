import BarlineSession
import Foundation

/// The script that an argument names: a file, a pipe, or `-` for standard input.
enum ScriptArgument {
    /// The longest script that is read from a pipe, in bytes.
    private static let limit = 256 << 20

    /// Reads the script; a pipe's is read to its end.
    ///
    /// - Throws: `SessionError` where it can't be read, is too long or is no script.
    static func read(_ path: String) throws -> PerformanceScript {
        let isInput = path == "-"
        guard isInput || isPipe(path) else { return try PerformanceScript(path: path) }
        let name = isInput ? "standard input" : path
        do {
            let pipe = try isInput ? .standardInput : FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            var text = Data()
            while text.count <= limit, let more = try pipe.read(upToCount: 1 << 16), !more.isEmpty { text += more }
            guard text.count <= limit else {
                throw SessionError.file(path: name, reason: "is larger than \(limit >> 20) MiB")
            }
            return try PerformanceScript(text: String(decoding: text, as: UTF8.self), path: name)
        } catch let error as SessionError {
            throw error
        } catch {
            throw SessionError.file(path: name, reason: "can't be read: \(error.localizedDescription)")
        }
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
