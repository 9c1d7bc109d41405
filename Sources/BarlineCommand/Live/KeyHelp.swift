/// The text of a view's page of keys.
struct KeyHelp {
    /// Keys and what they do, the most important ones first.
    private let entries: [(keys: String, meaning: String)]

    /// The keys of a view, and those that every view has.
    ///
    /// - Parameters:
    ///   - entries: keys and what they do, the most important ones first.
    ///   - quit: the key that ends the program.
    ///   - saves: whether there is a file to save.
    ///   - others: keys that are named where there is room.
    init(
        _ entries: [(String, String)], quit: String = "Ctrl-Q", saves: Bool = false, others: [(String, String)] = []
    ) {
        self.entries =
            entries + [(quit, "ends"), ("Ctrl-Z", "undoes"), ("Ctrl-Y", "redoes")]
            + (saves ? [("Ctrl-S", "saves")] : []) + others + [("?", "all keys")]
    }

    /// Lines of at most `columns`: all entries where `limit` lines hold them, else the first ones and how to see all.
    func lines(columns: Int, limit: Int) -> [String] {
        let all = KeyHelp.lines(entries, columns)
        if all.count <= limit { return all }
        for count in entries.indices.reversed() {
            let some = KeyHelp.lines(entries.prefix(count) + entries.suffix(1), columns)
            if some.count <= limit { return some }
        }
        return []
    }

    private static func lines(_ entries: some Collection<(keys: String, meaning: String)>, _ columns: Int) -> [String] {
        var lines: [String] = []
        for entry in entries {
            let text = "\(entry.keys) \(entry.meaning)"
            if let last = lines.last, TextWidth.columns(last) + 3 + TextWidth.columns(text) <= columns {
                lines[lines.count - 1] = "\(last) · \(text)"
            } else {
                lines.append(" \(text)")
            }
        }
        return lines
    }

    /// A whole screen of them.
    func page(columns: Int, rows: Int) -> [String] {
        let width = 2 + (entries.map { TextWidth.columns($0.keys) }.max() ?? 0)
        let lines = entries.flatMap { entry in
            let meaning = Style.wrapped(entry.meaning, columns - width - 3)
            return meaning.enumerated().map { index, part in
                " " + Style.bold(Style.filled(index == 0 ? entry.keys : "", width)) + part
            }
        }
        guard lines.count + 2 <= rows else { return self.lines(columns: columns, limit: rows) }
        return [" " + Style.bold("Keys"), ""] + lines
    }
}
