import BarlineFiles
import Foundation

/// Reads the text files of a session.
enum SessionFile {
    /// The largest session or script that is read, in bytes.
    static let limit = 256 << 20

    static func read(_ path: String) throws(SessionError) -> Data {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .file(path: path, reason: "can't be opened: \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .file(path: path, reason: "is not a file")
        }
        guard status.st_size <= limit else { throw tooLarge(path) }
        do {
            return try handle.readToEnd() ?? Data()
        } catch {
            throw .file(path: path, reason: "can't be read: \(systemReason(of: error))")
        }
    }

    static func tooLarge(_ path: String) -> SessionError {
        .file(path: path, reason: "is larger than \(limit >> 20) MiB")
    }

    /// Why a file is no JSON, in one line.
    static func describe(_ syntaxError: JSONSyntaxError) -> String { "is not valid JSON: \(syntaxError)" }
}
