import BarlineSession

/// The document's keys as a table in Markdown.
enum KeyTable {
    /// A row for each key; what several parts have in common is one row.
    static var lines: [String] {
        var rows: [(key: String, parts: [String], standard: String, text: String)] = []
        for part in DocumentPart.allCases {
            for facts in part.keys {
                let (standard, text) = (standard(facts), text(facts))
                if let row = rows.firstIndex(where: { ($0.key, $0.standard, $0.text) == (facts.key, standard, text) }) {
                    rows[row].parts.append(name(part))
                } else {
                    rows.append((facts.key, [name(part)], standard, text))
                }
            }
        }
        return ["| key | of | default | |", "| --- | --- | --- | --- |"]
            + rows.map { "| `\($0.key)` | \($0.parts.joined(separator: ", ")) | \($0.standard) | \($0.text) |" }
    }

    private static func name(_ part: DocumentPart) -> String {
        switch part.place {
        case .whole, .element: part.rawValue
        case .elementOf(let list): "item of `\(list)`"
        case .value: "`\(part.rawValue)`"
        }
    }

    private static func standard(_ facts: ArgumentFacts) -> String {
        if facts.isRequired { return "needed" }
        if !facts.standardWords.isEmpty { return facts.standardWords }
        return facts.standard.map { "`\($0.line)`" } ?? ""
    }

    private static func text(_ facts: ArgumentFacts) -> String {
        let values = VerbTable.values(facts.value)
        return [values, facts.summary].filter { !$0.isEmpty }.joined(separator: "; ")
    }
}
