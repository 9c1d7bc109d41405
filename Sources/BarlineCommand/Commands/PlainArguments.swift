import ArgumentParser
import BarlineSession

/// Arguments without a command: what they name says which one is meant.
enum PlainArguments {
    /// The command for `arguments`, where they begin with one or with something that can be run or played.
    ///
    /// - Throws: what the parser finds wrong with them.
    static func command(for arguments: [String]) throws -> any ParsableCommand {
        let names = Barline.configuration.subcommands.map { $0._commandName }
        if arguments.first == "help", let word = arguments.dropFirst().first, !word.hasPrefix("-"), word != "help",
            !names.contains(word)
        {
            throw ValidationError("There is no command '\(word)'.")
        }
        let commands = names + ["help"]
        guard let first = arguments.first, !commands.contains(first), arguments.contains(where: isPlayable) else {
            return try Barline.parseAsRoot(arguments)
        }
        do {
            let command = try Barline.parseAsRoot(["play"] + arguments)
            if let play = command as? PlayCommand, !play.files.isEmpty, play.files.allSatisfy(isPlayable) {
                return play
            }
        } catch {
            // A file may be an option's that only the other command has.
            guard let run = try? Barline.parseAsRoot(arguments) as? RunCommand, run.session.map(isPlayable) != true
            else { throw error }
            return run
        }
        return try Barline.parseAsRoot(arguments)
    }

    private static func isPlayable(_ argument: String) -> Bool {
        argument == "-" || !argument.hasPrefix("-") && PlaylistSources.isPlayable(argument)
    }
}
