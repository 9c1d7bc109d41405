import BarlineFiles
import Foundation

/// A text file that is written line by line and appears under its name when it is finished.
///
/// What is no file but a device or a named pipe is written to directly, and after every line.
package final class LineFile {
    private let path: String
    /// The name that it has until it is finished; `nil` where it is written under its own.
    private let temporaryPath: String?
    private var descriptor: Int32
    /// Whole lines that were not written yet, and how far the first of them was.
    private var waiting: [UInt8] = []
    private var written = 0

    /// Bytes that are written at once.
    private static let pieceBytes = 1 << 16

    /// Begins a file; an existing one is replaced when this one is finished.
    package init(path: String) throws(SessionError) {
        self.path = path
        var status = stat()
        let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        let isSpecial = kind != S_IFREG && kind != S_IFDIR
        let temporaryPath = path + ".part\(ProcessInfo.processInfo.processIdentifier)"
        self.temporaryPath = isSpecial ? nil : temporaryPath
        // A pipe is opened for both ways: else opening it would wait for its reader.
        let access = kind == S_IFIFO ? O_RDWR : O_WRONLY
        descriptor =
            isSpecial ? open(path, access | O_CLOEXEC) : NewFile.open(temporaryPath, access)
        guard descriptor >= 0 else { throw problem }
        if kind == S_IFDIR {
            errno = EISDIR
            throw problem
        }
    }

    /// Refuses a path at which no file can be written, while nothing is there to be lost.
    package static func check(_ path: String) throws(SessionError) { _ = try LineFile(path: path) }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if let temporaryPath { unlink(temporaryPath) }
    }

    /// Bytes that wait to be written.
    package var waitingBytes: Int { waiting.count - written }

    /// Appends a line. What can't be written now waits, and is tried again with the lines that follow.
    package func write(_ line: String) throws(SessionError) {
        waiting.append(contentsOf: line.utf8)
        waiting.append(UInt8(ascii: "\n"))
        if temporaryPath == nil || waitingBytes > LineFile.pieceBytes { try flush() }
    }

    private func flush() throws(SessionError) {
        while written < waiting.count {
            let count = waiting.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw problem }
            written += count
        }
        waiting.removeAll(keepingCapacity: true)
        written = 0
    }

    /// Completes the file and gives it its name.
    package func finish() throws(SessionError) {
        try flush()
        try takeName()
    }

    /// Gives the file its name with the lines that could be written.
    ///
    /// - Returns: how many lines are not in it.
    package func abandon() -> Int {
        guard descriptor >= 0 else { return 0 }
        // A partially written line is removed.
        let begun = waiting[..<written].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let end = lseek(descriptor, 0, SEEK_CUR)
        if temporaryPath != nil, end > 0 { ftruncate(descriptor, end - off_t(written - begun)) }
        let count = waiting[begun...].count { $0 == UInt8(ascii: "\n") }
        try? takeName()
        return count
    }

    private func takeName() throws(SessionError) {
        close(descriptor)
        descriptor = -1
        guard let temporaryPath else { return }
        guard rename(temporaryPath, path) == 0 else {
            let problem = problem
            unlink(temporaryPath)
            throw problem
        }
    }

    private var problem: SessionError {
        .file(path: path, reason: "can't be written: \(String(cString: strerror(errno)))")
    }
}
