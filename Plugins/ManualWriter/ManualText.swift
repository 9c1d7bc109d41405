import Foundation

/// Pieces of a page in `mdoc`.
enum ManualText {
    /// What every page begins with.
    static func head(_ name: String, _ command: CommandDump.Command) -> [String] {
        let seconds = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Double.init)
        let date = seconds.map { Date(timeIntervalSince1970: $0) } ?? Date()
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "MMMM d, yyyy"
        let abstract = (command.abstract ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "."))
        return [
            ".Dd \(format.string(from: date))", ".Dt \(name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(name)",
            ".Nd \(argument(abstract, isQuoted: false))",
        ]
    }

    /// What the program has to do with besides its arguments.
    static let surroundings = [
        ".Sh ENVIRONMENT", ".Bl -tag -width Ds",
        ".It Ev NO_COLOR", "Where it is set and not empty, the terminal's views are without colours.",
        ".It Ev TERM", "A terminal called", ".Li dumb", "is given plain lines.",
        ".It Ev XDG_DATA_HOME , XDG_STATE_HOME , XDG_CACHE_HOME",
        "Where sessions, recordings and audio are; what is kept from run to run; what can be made again.", ".El",
        ".Sh FILES", ".Bl -tag -width Ds", ".It Pa ~/.local/share/barline/sessions",
        "Sessions that were saved under a name, by which",
        ".Xr barline-run 1", "and", ".Xr barline-render 1", "find them.",
        ".It Pa ~/.local/state/barline/playlist.json", "The list that", ".Xr barline-play 1", "goes on with.", ".El",
        ".Sh EXIT STATUS", ".Bl -tag -width Ds", ".It 0", "Done.", ".It 1", "Failed; standard error says what with.",
        ".It 64", "Wrong usage.", ".It 130", "Interrupted.", ".El",
    ]

    /// A section with a list; nothing where there is nothing to list.
    static func list(_ arguments: [CommandDump.Argument], _ title: String) -> [String] {
        arguments.isEmpty ? [] : [".Sh \(title)"] + items(arguments)
    }

    /// A list of arguments.
    static func items(_ arguments: [CommandDump.Argument]) -> [String] {
        [".Bl -tag -width Ds"] + arguments.flatMap { [".It \($0.term)"] + $0.meaning } + [".El"]
    }

    /// Text, its paragraphs parted by blank lines.
    static func paragraphs(_ text: String?) -> [String] {
        let parts = (text ?? "").components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        var lines: [String] = []
        for part in parts {
            if part.isEmpty, !lines.isEmpty { lines.append(".Pp") }
            if !part.isEmpty { lines += sentences(escaped(part)) }
        }
        return lines
    }

    /// A line a sentence, as the formatter wants it.
    private static func sentences(_ text: String) -> [String] {
        var lines: [String] = [""]
        for word in text.split(separator: " ") {
            let isFirst = lines[lines.count - 1].isEmpty
            // A word with a dot in front would be taken for a request.
            let safe = isFirst && (word.hasPrefix(".") || word.hasPrefix("'")) ? "\\&" + word : String(word)
            lines[lines.count - 1] += (isFirst ? "" : " ") + safe
            if word.hasSuffix("."), word.count > 3 { lines.append("") }
        }
        return lines.filter { !$0.isEmpty }
    }

    /// What stands beside a request: never a request of its own.
    static func argument(_ text: String, isQuoted: Bool = true) -> String {
        let words = text.split(separator: " ").map { word in
            // Short words with a capital may be names of requests, and signs are set apart as punctuation.
            word.count <= 3 ? "\\&" + escaped(String(word)) : escaped(String(word))
        }
        let line = words.joined(separator: " ").replacingOccurrences(of: "\"", with: "\\(dq")
        return isQuoted && words.count > 1 ? "\"\(line)\"" : line
    }

    /// Text in which nothing is a command of the formatter's, and signs are what they look like.
    static func escaped(_ text: String) -> String {
        var result = ""
        var isWordStart = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-" where isWordStart: result += "\\-"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default: result += String(format: "\\[u%04X]", scalar.value)
            }
            isWordStart = scalar == " " || scalar == "(" || scalar == "\"" || (isWordStart && scalar == "-")
        }
        return result
    }
}

extension CommandDump.Argument {
    private var value: String {
        let name = ManualText.argument(valueName ?? "value")
        return isRepeating && kind == .positional ? "Ar \(name) ..." : "Ar \(name)"
    }

    private func flag(_ name: CommandDump.Name) -> String {
        "Fl \(name.kind == "long" ? "\\-" : "")\(name.name.replacingOccurrences(of: "-", with: "\\-"))"
    }

    /// As the synopsis has it.
    var synopsis: String {
        let name = (names ?? []).first { $0.kind == "long" } ?? names?.first
        let text =
            switch kind {
            case .positional: value
            case .flag: name.map(flag) ?? ""
            case .option: "\(name.map(flag) ?? "") \(value)"
            }
        return isOptional ? "Op \(text)" : text
    }

    /// As the list has it.
    var term: String {
        if kind == .positional { return value }
        let all = (names ?? []).map(flag).joined(separator: " , ")
        return kind == .option ? "\(all) \(value)" : all
    }

    /// What it is for, and what it is where it is not given.
    var meaning: [String] {
        var lines = ManualText.paragraphs([abstract, discussion].compactMap { $0 }.joined(separator: "\n\n"))
        let known = abstract ?? ""
        let values = (allValues ?? []).filter { !known.contains($0) }
        if !values.isEmpty { lines += ManualText.paragraphs("One of \((allValues ?? []).joined(separator: ", ")).") }
        if let defaultValue, !defaultValue.isEmpty, !known.contains("Default") {
            lines += ManualText.paragraphs("Default: \(defaultValue).")
        }
        return lines
    }
}
