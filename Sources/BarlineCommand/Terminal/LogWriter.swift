import BarlineTime
import Foundation
import Synchronization

/// Writes lines to a file on a thread of its own: whoever logs never waits for a pipe that nobody reads or a terminal
/// that is held. What does not fit meanwhile is dropped and counted.
final class LogWriter: Sendable {
    /// Standard error, in lines of text.
    static let text: LogWriter = {
        let writer = LogWriter(STDERR_FILENO)
        atexit { LogWriter.text.flush(seconds: LogWriter.endSeconds) }
        return writer
    }()

    /// Standard error, with an object in JSON in every line.
    static let json: LogWriter = {
        let writer = LogWriter(STDERR_FILENO) { count in
            ProgramLog.line(
                level: .warning, logger: "barline", message: "\(count) lines of the log did not fit and are missing")
        }
        atexit { LogWriter.json.flush(seconds: LogWriter.endSeconds) }
        return writer
    }()

    private struct Waiting {
        var lines: [String] = []
        var dropped = 0
        var isWriting = false
    }

    /// The lines that may wait.
    static let limit = 8_192
    /// How long the end of the program waits for what was logged last.
    private static let endSeconds = 0.5

    private let descriptor: Int32
    /// What says that some lines are missing.
    private let missing: @Sendable (Int) -> String
    private let waiting = Mutex(Waiting())
    private let isWoken = DispatchSemaphore(value: 0)

    init(
        _ descriptor: Int32,
        missing: @escaping @Sendable (Int) -> String = {
            "barline: \($0) lines of the log did not fit and are missing\n"
        }
    ) {
        self.descriptor = descriptor
        self.missing = missing
        NamedThread.start("barline-log") { [self] in
            while true {
                isWoken.wait()
                write()
            }
        }
    }

    /// Adds a line, which ends with a line break, to what is written.
    func write(_ line: String) {
        waiting.withLock { waiting in
            if waiting.lines.count < LogWriter.limit { waiting.lines.append(line) } else { waiting.dropped += 1 }
        }
        isWoken.signal()
    }

    /// Waits until all is written, but no longer than `seconds`.
    func flush(seconds: Double) {
        let end = DispatchTime.now() + seconds
        while waiting.withLock({ $0.isWriting || !$0.lines.isEmpty }), DispatchTime.now() < end { usleep(1_000) }
    }

    private func write() {
        let (lines, dropped) = waiting.withLock { waiting in
            defer { (waiting.lines, waiting.dropped, waiting.isWriting) = ([], 0, true) }
            return (waiting.lines, waiting.dropped)
        }
        defer { waiting.withLock { $0.isWriting = false } }
        var bytes = Array((lines + (dropped == 0 ? [] : [missing(dropped)])).joined().utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR && errno != EAGAIN {
                return
            } else if errno == EAGAIN {
                usleep(10_000)
            }
        }
    }
}
