import BarlineSession
import Foundation
import Synchronization

/// Standard output and standard error.
enum Terminal {
    /// Whether standard output is a screen.
    static var hasScreen: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether standard input is a keyboard.
    static var hasKeyboard: Bool { isatty(STDIN_FILENO) == 1 }
    /// Whether standard error is a screen.
    static var hasErrorScreen: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether the terminal knows no more than lines of text: `TERM=dumb`.
    static let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"

    /// Writes a message to standard error.
    static func report(_ text: String) { write(message(text), to: STDERR_FILENO) }

    /// Writes a program's last message to standard error; who does not read it is waited for no longer than a second.
    static func reportLast(_ text: String) {
        var place = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&place, 1, 1_000) != 0 { report(text) }
    }

    /// A message as the line that it is on standard error.
    static func message(_ text: String) -> String { "barline: \(Style.clean(text))\n" }

    /// Writes a plain line to standard output, at once.
    static func printLine(_ line: String) { write(Style.clean(line) + "\n") }

    /// Why some of standard output could not be written; 0 where all was, or nobody reads any more.
    private static let problem = Atomic<Int32>(0)

    /// Reports what of standard output could not be written; to be called at the end.
    ///
    /// - Throws: `SessionError` where a disk had no room for it.
    static func finishOutput() throws {
        if fflush(nil) != 0 { noteProblem() }
        let problem = problem.load(ordering: .relaxed)
        if problem == 0 { return }
        throw SessionError.file(
            path: "standard output", reason: "can't be written: \(String(cString: strerror(problem)))")
    }

    /// The status with which the program ends: 1 where it would be 0 but its standard output could not be written, which
    /// is reported.
    static func status(_ status: Int32) -> Int32 {
        do {
            try finishOutput()
            return status
        } catch {
            reportLast("\(error)")
            return status == 0 ? 1 : status
        }
    }

    private static func noteProblem() {
        let code = errno
        if [ENOSPC, EDQUOT, EFBIG].contains(code) { problem.store(code, ordering: .relaxed) }
    }

    /// Writes text as it is; what can't be written, because nobody reads any more, is dropped.
    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let written = bytes[offset...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                offset += written
            } else if errno == EAGAIN {
                // It is somebody else's choice that it does not block.
                var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&place, 1, -1)
            } else if errno != EINTR {
                if descriptor == STDOUT_FILENO { noteProblem() }
                return
            }
        }
    }

    /// Changes to the alternate screen, without a cursor; a line that is too long ends at the edge.
    static func enterScreen() { write("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l") }

    /// Changes back.
    static func leaveScreen() { write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l") }

    /// Shows lines from the top of the screen: each is cleared to its end, the rest below.
    static func show(_ lines: [String], rows: Int) {
        // After the last column a terminal would clear what it has just drawn there: what is cleared comes first.
        let shown = lines.prefix(rows).map { "\u{1B}[K" + $0 }.joined(separator: "\r\n")
        write("\u{1B}[H" + shown + (lines.count < rows ? "\r\n\u{1B}[J" : ""))
    }

    /// Columns and rows of the screen.
    static var size: (columns: Int, rows: Int) { size(of: STDOUT_FILENO) }

    /// Columns and rows of the screen that a descriptor leads to.
    static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
