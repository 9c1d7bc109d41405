import BarlineTestSupport
import Foundation

/// A program on a real terminal emulator, tmux, which knows where every character ends up.
final class TmuxScreen {
    private let socket = "barline-test-\(UUID().uuidString.prefix(8))"
    private let folder: TemporaryFolder
    private let server: Program
    private let pane = "0:0.0"

    /// Runs a command.
    ///
    /// - Parameters:
    ///   - arguments: the program's.
    ///   - columns: the terminal's width.
    ///   - rows: its height.
    ///   - environment: what is added to the program's environment.
    /// - Throws: why there is no such terminal.
    init(_ arguments: [String], columns: Int, rows: Int, environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'" }
        let variables = Barline.environment.merging(environment) { $1 }.map { quoted("\($0)=\($1)") }
        let command = (["env"] + variables + [Barline.path] + arguments.map(quoted)).joined(separator: " ")
        // What it leaves on the screen can be looked at afterwards.
        let script = try folder.write("run", "\(command)\nprintf 'status %s\\n' $?\nexec sleep 600\n")
        // A server in the background would keep whoever started it waiting for its end.
        server = try Program("tmux", ["-D", "-u", "-L", socket, "-f", "/dev/null"], environment: ["LC_ALL": "C.UTF-8"])
        let size = ["-x", "\(columns)", "-y", "\(rows)"]
        let hasBegun = try eventually {
            try tmux(["new-session", "-d"] + size + ["sh \(quoted(script))"]).status == 0
        }
        if !hasBegun { throw Program.Failure.hung("tmux: \(server.errors)") }
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run("tmux", ["-N", "-u", "-L", socket] + arguments, environment: ["LC_ALL": "C.UTF-8"])
    }

    /// What is on the screen, from the top; what is empty at the end of a row is left out.
    var rows: [String] {
        var rows = ((try? tmux(["capture-pane", "-p", "-t", pane]))?.output ?? "").components(separatedBy: "\n")
        if rows.last == "" { rows.removeLast() }
        return rows
    }

    /// All of it.
    var picture: String { rows.joined(separator: "\n") }

    /// The rows on which `text` is.
    func rows(with text: String) -> [String] { rows.filter { $0.contains(text) } }

    /// Presses keys by tmux's names for them, or characters.
    func press(_ keys: String...) throws { try tmux(["send-keys", "-t", pane] + keys) }

    /// Ends the terminal and what runs on it.
    func close() {
        _ = try? tmux(["kill-server"])
        server.end()
    }
}
