import Foundation

/// A text file that is written line by line and appears under its name when it is finished.
public final class LineFile {
    private let path: String
    private let temporaryPath: String
    private var handle: FileHandle?
    private var pending = Data()

    /// Begins a file; an existing one is replaced when this one is finished.
    public init(path: String) throws(SessionError) {
        self.path = path
        temporaryPath = path + ".part\(ProcessInfo.processInfo.processIdentifier)"
        guard FileManager.default.createFile(atPath: temporaryPath, contents: nil),
            let handle = FileHandle(forWritingAtPath: temporaryPath)
        else { throw .file(path: path, reason: "can't be written") }
        self.handle = handle
    }

    deinit {
        if handle != nil { unlink(temporaryPath) }
    }

    /// Appends a line.
    public func write(_ line: String) throws(SessionError) {
        pending.append(contentsOf: line.utf8)
        pending.append(10)
        if pending.count > 1 << 16 { try flush() }
    }

    private func flush() throws(SessionError) {
        do {
            try handle?.write(contentsOf: pending)
            pending.removeAll(keepingCapacity: true)
        } catch {
            throw .file(path: path, reason: "can't be written: \(error.localizedDescription)")
        }
    }

    /// Completes the file and gives it its name.
    public func finish() throws(SessionError) {
        try flush()
        try? handle?.close()
        handle = nil
        guard rename(temporaryPath, path) == 0 else {
            throw .file(path: path, reason: "can't be written: \(String(cString: strerror(errno)))")
        }
    }
}
