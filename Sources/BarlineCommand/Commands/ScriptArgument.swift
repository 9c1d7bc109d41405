import BarlineSession
import Foundation

/// The script that an argument names: a file, a pipe, or `-` for standard input.
enum ScriptArgument {
    /// Reads the script; a pipe's is read to its end.
    ///
    /// - Throws: `SessionError` where it can't be read, is too long or is no script.
    static func read(_ path: String) throws -> PerformanceScript {
        if path == "-" { return try PerformanceScript(pipe: .standardInput, path: "standard input") }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO,
            let pipe = FileHandle(forReadingAtPath: path)
        else { return try PerformanceScript(path: path) }
        return try PerformanceScript(pipe: pipe, path: path)
    }
}
