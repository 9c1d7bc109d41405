import BarlineFiles
import BarlineTestSupport
import Foundation
import Synchronization

/// A program on a terminal of its own.
final class Screen: @unchecked Sendable {
    /// Why there is no terminal.
    struct NoTerminal: Error {}

    // TIOCSPTLCK and TIOCGPTN, whose macros Swift does not import.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    private let process: ChildProcess
    private let set: SmallSet?
    private let leader: Int32
    private let follower: Int32
    private let shown = Mutex<[UInt8]>([])

    /// Plays `set` on a terminal of 100 columns and 30 rows.
    convenience init(playing set: SmallSet, environment: [String: String] = [:]) throws {
        try self.init(["run", set.session, "--backend", "null"], environment: environment, keeping: set)
    }

    /// Runs a command on a terminal.
    ///
    /// - Parameters:
    ///   - arguments: the program's.
    ///   - columns: the terminal's width.
    ///   - rows: its height.
    ///   - environment: what is added to the program's environment.
    ///   - program: the program, where it is another one.
    ///   - set: what must be there for as long as it runs.
    /// - Throws: ``NoTerminal``, or why the program could not be started.
    init(
        _ arguments: [String], columns: Int = 100, rows: Int = 30, environment: [String: String] = [:],
        of program: String = Barline.path, keeping set: SmallSet? = nil
    ) throws {
        self.set = set
        leader = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var number: Int32 = 0
        var isLocked: Int32 = 0
        guard leader >= 0, ioctl(leader, Screen.unlock, &isLocked) == 0, ioctl(leader, Screen.getNumber, &number) == 0
        else { throw NoTerminal() }
        follower = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard follower >= 0 else { throw NoTerminal() }
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(leader, UInt(TIOCSWINSZ), &size)
        process = try ChildProcess(
            program, arguments,
            environment: ProcessInfo.processInfo.environment.merging(["TERM": "xterm-256color"]) { $1 }
                .merging(Barline.environment) { $1 }.merging(environment) { $1 },
            input: follower, output: follower, errors: follower)
        let leader = leader
        Thread.detachNewThread { [weak self] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(leader, &bytes, bytes.count)
                guard count > 0, let self else { return }
                self.shown.withLock { $0 += bytes[..<count] }
            }
        }
    }

    /// Presses keys.
    func press(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(leader, bytes, bytes.count)
    }

    /// Sends the program a signal.
    func signal(_ number: Int32) { process.signal(number) }

    /// Everything that was written, with the terminal's own sequences.
    var raw: String { String(decoding: shown.withLock { $0 }, as: UTF8.self) }

    /// The last whole picture, as text.
    var picture: String {
        let pictures = raw.components(separatedBy: "\u{1B}[H")
        let last = pictures.dropLast().last ?? ""
        return last.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
    }

    /// What a terminal without a screen of pages would show: lines, drawn over and cleared.
    var lines: [String] {
        var lines: [[Character]] = [[]]
        var column = 0
        var rest = raw[...]
        while let character = rest.first {
            if rest.hasPrefix("\u{1B}[K") {
                lines[lines.count - 1].removeSubrange(min(column, lines[lines.count - 1].count)...)
                rest = rest.dropFirst(3)
                continue
            }
            rest.removeFirst()
            switch character {
            case "\r": column = 0
            case "\n", "\r\n":
                lines.append([])
                column = 0
            default:
                if column < lines[lines.count - 1].count {
                    lines[lines.count - 1][column] = character
                } else {
                    lines[lines.count - 1].append(character)
                }
                column += 1
            }
        }
        return lines.map { String($0) }
    }

    /// Whether the terminal shows what is typed, waits for whole lines, and lets Ctrl-S and Ctrl-Q control the flow.
    var isPlain: Bool {
        var settings = termios()
        guard tcgetattr(follower, &settings) == 0 else { return false }
        let flags = tcflag_t(ICANON | ECHO)
        return settings.c_lflag & flags == flags && settings.c_iflag & tcflag_t(IXON) != 0
    }

    /// Waits for the program's end and returns its status; `nil` where it had to be killed.
    func end(within seconds: Double = 120) -> Int32? {
        let status = process.wait(atMost: seconds)
        if status == nil { signal(SIGKILL) }
        return status
    }

    /// Gives the terminal back; the program must have ended.
    func close() {
        signal(SIGKILL)
        Foundation.close(follower)
        Foundation.close(leader)
    }
}
