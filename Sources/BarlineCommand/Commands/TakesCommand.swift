import ArgumentParser
import BarlineSession
import Foundation

/// `barline takes`: recordings that were broken off.
struct TakesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "takes", abstract: "Lists recordings whose program was killed; keeps them or throws them away.",
        usage: "barline takes [<options>]",
        discussion: """
            What was recorded until then can be played, and so can its script. Those of a program that still runs are \
            not among them.
            """)

    @Option(help: ArgumentHelp("Keep this one; may be given several times.", valueName: "name"))
    var keep: [String] = []

    @Option(help: ArgumentHelp("Delete this one; may be given several times.", valueName: "name"))
    var discard: [String] = []

    @OptionGroup var options: ListOptions

    func run() throws {
        let takes = TakeRecovery.takes(in: .standard)
        let chosen = try (keep + discard).map { name in
            guard let take = takes.first(where: { $0.name == name }) else {
                Terminal.report("there is no rescued recording \"\(name)\"")
                throw ExitCode(1)
            }
            return take
        }
        for take in chosen { if keep.contains(take.name) { try take.keep() } else { try take.discard() } }
        for take in takes where !chosen.contains(take) { show(take) }
    }

    private func show(_ take: RecoveredTake) {
        if options.json {
            JSONOutput.print([
                "name": .string(take.name), "seconds": .number(take.seconds),
                "files": .array(take.files.map { .string($0.path) }),
            ])
        } else {
            Terminal.printLine("\(take.name), \(SessionNotice.time(take.seconds))")
            for file in take.files { Terminal.printLine("  \(file.path)") }
        }
    }
}
