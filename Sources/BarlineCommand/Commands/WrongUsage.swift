import ArgumentParser
import Foundation

/// What the parser says of wrong arguments, in the way in which all other messages are written.
enum WrongUsage {
    /// How the parser begins what is wrong.
    private static let start = "Error: "

    /// Ends the program with what was wrong; with the help or the version, where that was asked for.
    static func exit(withError error: any Error, of command: any ParsableCommand.Type = Barline.self) -> Never {
        let status = command.exitCode(for: error)
        guard status == .validationFailure else {
            Terminal.write(command.fullMessage(for: error) + "\n", to: status.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
            Foundation.exit(Terminal.status(status.rawValue))
        }
        let lines = message(command.fullMessage(for: error), command._commandName)
        Terminal.reportLast(lines[0])
        for line in lines.dropFirst() { Terminal.write(Style.clean(line) + "\n", to: STDERR_FILENO) }
        Foundation.exit(status.rawValue)
    }

    /// The lines of the parser's message, in which the program's name is before that of the command.
    static func message(_ text: String, _ command: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines[0].hasPrefix(start) { lines[0].removeFirst(start.count) }
        guard command != Barline._commandName else { return lines }
        for index in lines.indices.dropFirst() {
            for words in ["Usage: ", "  See '"] where lines[index].hasPrefix(words + command) {
                lines[index].insert(
                    contentsOf: Barline._commandName + " ",
                    at: lines[index].index(lines[index].startIndex, offsetBy: words.count))
            }
        }
        return lines
    }
}
