import ArgumentParser
import BarlineHost
import BarlineSession
import Foundation

/// The program: finds the command, runs it, and turns what went wrong into a message and an exit status.
@main
struct Barline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "barline",
        abstract: "Launches loops on the bar line and keeps them in time.",
        usage: """
            barline <subcommand>
            barline [<options>] [<file> ...]
            """,
        discussion: """
            Without a command, a session is played live, and audio files, lists and folders one after the other; \
            without anything, the built-in demo set.

            Exit status: 0 done, 1 failed, 64 wrong usage, 130 interrupted, 143 terminated, 129 hung up.
            """,
        version: Program.version,
        subcommands: [
            RunCommand.self, RenderCommand.self, WaveformCommand.self, DevicesCommand.self, DemoCommand.self,
            MetronomeCommand.self, AnalyzeCommand.self, PlayCommand.self, StemsCommand.self,
            RoomsCommand.self, TakesCommand.self, LatencyCommand.self, VersionsCommand.self,
            CollectCommand.self, DoctorCommand.self,
        ],
        defaultSubcommand: RunCommand.self)

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        OpenFiles.allowMost()
        Interruption.install()
        ProgramLog.install()
        var command: any ParsableCommand
        do {
            command = try PlainArguments.command(for: Array(CommandLine.arguments.dropFirst()))
        } catch {
            WrongUsage.exit(withError: error)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            try Terminal.finishOutput()
        } catch let code as ExitCode {
            Foundation.exit(Terminal.status(code.rawValue))
        } catch  where exitCode(for: error) != .failure {
            // With the usage of the command that it is.
            WrongUsage.exit(withError: error, of: type(of: command))
        } catch {
            Terminal.reportLast("\(error)")
            Foundation.exit(1)
        }
    }
}
