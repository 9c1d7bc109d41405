import Foundation

/// The pages of a program, in the language `mdoc`.
struct Manual {
    private let program: CommandDump.Command

    init(_ program: CommandDump.Command) { self.program = program }

    private var commands: [CommandDump.Command] {
        (program.subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
    }

    private var allNames: [String] { [program.commandName] + commands.map(name) }

    private func name(_ command: CommandDump.Command) -> String { "\(program.commandName)-\(command.commandName)" }

    /// The pages by their names.
    var pages: [(name: String, page: String)] {
        [(program.commandName, overview)] + commands.map { (name($0), page(of: $0)) }
    }

    private var overview: String {
        var lines = ManualText.head(program.commandName, program)
        lines += [".Sh SYNOPSIS", ".Nm", ".Op Ar options", ".Op Ar", ".Nm", ".Ar command", ".Op Ar options", ".Op Ar"]
        lines += description(program) + [".Sh COMMANDS", ".Bl -tag -width Ds"]
        for command in commands {
            lines += [".It Xr \(name(command)) 1"] + ManualText.paragraphs(command.abstract)
        }
        return page(lines + [".El"], of: program, name: program.commandName, end: ManualText.surroundings)
    }

    private func page(of command: CommandDump.Command) -> String {
        var lines = ManualText.head(name(command), command)
        lines += [".Sh SYNOPSIS", ".Nm \(program.commandName) \(command.commandName)"]
        lines += shown(command).map { ".\($0.synopsis)" }
        return page(lines + description(command), of: command, name: name(command))
    }

    private func description(_ command: CommandDump.Command) -> [String] {
        [".Sh DESCRIPTION"] + ManualText.paragraphs(command.abstract)
            + (command.discussion.map { [".Pp"] + ManualText.paragraphs($0) } ?? [])
    }

    /// The rest of a page: the arguments, and other pages.
    private func page(
        _ lines: [String], of command: CommandDump.Command, name: String, end: [String] = []
    ) -> String {
        let others = allNames.filter { $0 != name }.sorted().map { ".Xr \($0) 1" }
        let links = others.enumerated().map { index, link in index < others.count - 1 ? "\(link) ," : link }
        let arguments = shown(command)
        var all = lines + ManualText.list(arguments.filter { $0.kind == .positional }, "ARGUMENTS")
        let options = arguments.filter { $0.kind != .positional }
        var titles: [String?] = []
        for option in options where !titles.contains(option.sectionTitle) { titles.append(option.sectionTitle) }
        if !options.isEmpty { all.append(".Sh OPTIONS") }
        // What belongs to nothing in particular is read first.
        for title in titles.sorted(by: { $0 == nil && $1 != nil }) {
            if let title { all.append(".Ss \(ManualText.argument(title))") }
            all += ManualText.items(options.filter { $0.sectionTitle == title })
        }
        return (all + end + [".Sh SEE ALSO"] + links).joined(separator: "\n") + "\n"
    }

    private func shown(_ command: CommandDump.Command) -> [CommandDump.Argument] {
        (command.arguments ?? []).filter(\.shouldDisplay)
    }
}
