import BarlineSession

/// Verbs as tables in Markdown.
enum VerbTable {
    /// A row for each verb, and for each group of its forms.
    static func lines(_ verbs: [VerbFacts]) -> [String] {
        var lines = ["| action | arguments | |", "| --- | --- | --- |"]
        for verb in verbs {
            for (index, group) in groups(verb.forms).enumerated() {
                let word = index == 0 ? "`\(verb.word)`" : ""
                let arguments = ([constants(group)] + self.arguments(group[0])).filter { !$0.isEmpty }
                let summary = verb.summary + (verb.isScripted ? " In scripts too." : "")
                lines.append("| \(word) | \(arguments.joined(separator: ", ")) | \(index == 0 ? summary : "") |")
            }
        }
        return lines
    }

    /// Forms that follow each other and take the same arguments are one row.
    private static func groups(_ forms: [FormFacts]) -> [[FormFacts]] {
        var groups: [[FormFacts]] = []
        for form in forms {
            if let last = groups.last?.last, last.arguments == form.arguments, last.presence == form.presence,
                last.constants.map(\.key) == form.constants.map(\.key)
            {
                groups[groups.count - 1].append(form)
            } else {
                groups.append([form])
            }
        }
        return groups
    }

    /// `"action": "play"`, with `"pause"` for the same key of another form.
    private static func constants(_ forms: [FormFacts]) -> String {
        var parts: [String] = []
        for (index, form) in forms.enumerated() {
            for constant in form.constants {
                parts.append(index == 0 ? "`\"\(constant.key)\": \(constant.value.line)`" : "`\(constant.value.line)`")
            }
        }
        return parts.joined(separator: ", ")
    }

    private static func arguments(_ form: FormFacts) -> [String] {
        var texts: [String] = []
        for argument in form.arguments {
            if argument.group.isEmpty {
                texts.append(argument.isRequired ? text(argument) : "[\(text(argument))]")
            } else if argument.group.first == argument.key {
                let others = form.arguments.filter { $0.group == argument.group }.map(text)
                let choice = others.dropLast().joined(separator: ", ") + " or " + (others.last ?? "")
                texts.append(argument.isRequired ? choice : "[\(choice)]")
            }
        }
        return texts
    }

    private static func text(_ argument: ArgumentFacts) -> String {
        var text = "`\(argument.key)`"
        let values = self.values(argument.value)
        if !values.isEmpty { text += " " + values }
        if let standard = argument.standard, standard != false { text += " (`\(standard.line)`)" }
        if !argument.summary.isEmpty { text += ": \(argument.summary)" }
        return text
    }

    /// What a value may be, as far as its kind does not say it.
    static func values(_ facts: ValueFacts) -> String {
        if !facts.words.isEmpty {
            let words = facts.words.map { "`\"\($0)\"`" }
            return words.count > 6 ? "\(words[0]) … \(words[words.count - 1])" : words.joined(separator: ", ")
        }
        guard let range = facts.range else { return "" }
        let unit = facts.unit.map { " \($0)" } ?? ""
        let null = facts.null.map { ", `null` \($0)" } ?? ""
        let (low, high) = (number(range.lowerBound), number(range.upperBound))
        if range.lowerBound == -.greatestFiniteMagnitude { return "≤ \(high)\(unit)\(null)" }
        return (facts.isAboveLowest ? "> \(low), ≤ \(high)" : "\(low) … \(high)") + unit + null
    }

    private static func number(_ value: Double) -> String {
        if value == 0x1p48 { return "2⁴⁸" }
        if value == -0x1p48 { return "−2⁴⁸" }
        if value == 0x1p53 - 1 { return "2⁵³ − 1" }
        return JSONValue.number(value).line.replacing("-", with: "−")
    }

    // MARK: OSC

    /// A row for each order of values, with the addresses that take it.
    static func osc(_ verbs: [VerbFacts]) -> [String] {
        var rows: [(values: String, addresses: [String])] = []
        for verb in verbs {
            guard let orders = verb.osc else { continue }
            let values = orders.map { keys in keys.map { value($0, in: keys, of: verb) }.joined(separator: ", ") }
                .joined(separator: "; or ")
            if let row = rows.firstIndex(where: { $0.values == values }) {
                rows[row].addresses.append("`/barline/\(verb.word)`")
            } else {
                rows.append((values, ["`/barline/\(verb.word)`"]))
            }
        }
        rows.append(("s any action as JSON", ["`/barline/action`"]))
        return ["| address | values |", "| --- | --- |"]
            + rows.map { "| \($0.addresses.joined(separator: ", ")) | \($0.values) |" }
    }

    private static func value(_ key: String, in order: [String], of verb: VerbFacts) -> String {
        let argument = verb.argument(key)
        let type =
            switch argument?.value.kind {
            case .flag: "T/F/i"
            case .number: "f"
            case .whole: "i"
            case .text, .object, .list, nil: "s"
            }
        let before = Set(order.prefix { $0 != key })
        // Whether a message may end before it.
        let mayBeMissing = verb.forms.contains { form in
            if form.arguments.contains(where: { $0.key == key && !$0.isRequired }), !form.needsOne { return true }
            let keys = form.arguments.map(\.key)
            let needed = form.constants.map(\.key) + form.arguments.filter(\.isRequired).map(\.key)
            return before.isSuperset(of: needed) && form.presence.map { before.contains($0) } ?? true
                && (!form.needsOne || keys.contains { before.contains($0) && !needed.contains($0) })
        }
        return "\(type) \(key)" + (mayBeMissing && verb.osc?.count == 1 ? " (may be missing)" : "")
    }
}
