import ArgumentParser
import BarlineHost
import BarlineOutputs
import BarlineSession
import Foundation

/// `barline doctor`: what this machine has and lacks for playing without interruption.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks what this machine has and lacks for playing without interruption.",
        discussion: "Outputs, rights, libraries, room on the disk, what crashed; and what to do about it.")

    @OptionGroup var options: ListOptions

    func run() throws {
        _ = CrashLogs.collect(in: .standard)
        for finding in Diagnosis(outputs: OutputListing.all()).findings { show(finding) }
    }

    private func show(_ finding: Diagnosis.Finding) {
        if options.json {
            return JSONOutput.print([
                "name": .string(finding.name), "value": .string(finding.value),
                "verdict": .string(finding.verdict.rawValue), "advice": .string(finding.advice),
            ])
        }
        let mark =
            switch finding.verdict {
            case .good: " "
            case .advice: "!"
            case .problem: "✗"
            }
        show("\(finding.name): \(finding.value)", first: "\(mark) ", rest: "      ")
        if !finding.advice.isEmpty { show(finding.advice, first: "    ", rest: "    ") }
    }

    /// Lines as wide as the screen; one where there is none, for a program that reads it.
    private func show(_ text: String, first: String, rest: String) {
        guard Terminal.hasScreen else { return Terminal.printLine(first + text) }
        for (index, line) in Style.wrapped(text, Terminal.size.columns - rest.count).enumerated() {
            Terminal.printLine((index == 0 ? first : rest) + line)
        }
    }
}
