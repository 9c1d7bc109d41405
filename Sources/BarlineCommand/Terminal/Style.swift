import BarlineDSP
import Foundation

/// Text of fixed width and in colour, for a terminal.
enum Style {
    /// Whether text has colours: `NO_COLOR` asks for none.
    static let hasColour = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

    static func bold(_ text: String) -> String { with("1", text) }
    static func dim(_ text: String) -> String { with("2", text) }
    static func warning(_ text: String) -> String { with("33", text) }
    static func queued(_ text: String) -> String { with("36", text) }

    private static func with(_ attributes: String, _ text: some StringProtocol) -> String {
        hasColour ? "\u{1B}[\(attributes)m\(text)\u{1B}[0m" : String(text)
    }

    /// A text that shows progress, 0 … 1: by its background, or without colours in its last column, which is empty.
    static func playing(_ text: String, _ progress: Double) -> String {
        guard hasColour else {
            guard text.last == " " else { return text }
            return text.dropLast() + String(levels[max(0, min(levels.count - 1, Int(progress * Double(levels.count))))])
        }
        let columns = progress * Double(TextWidth.columns(text))
        var done = ""
        for character in text {
            if Double(TextWidth.columns(done) + TextWidth.columns(character)) > columns { break }
            done.append(character)
        }
        return with("1;30;42", done) + with("1;32", text.dropFirst(done.count))
    }

    private static let levels = Array("▁▂▃▄▅▆▇█")

    /// A name from elsewhere, in which nothing is left that a terminal would obey.
    static func clean(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isCommand) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isCommand($0) ? " " : $0 }))
    }

    /// Control characters, and those that turn the direction of what follows.
    private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value)
    }

    /// A text cut or filled to `width` columns.
    static func filled(_ text: String, _ width: Int) -> String {
        let text = cut(clean(text), width)
        return text + String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
    }

    /// A text cut or filled to `width` columns, the last one left empty.
    static func fit(_ text: String, _ width: Int) -> String { width > 0 ? filled(text, width - 1) + " " : "" }

    /// The mark before a line of a list: that more is above or below those that are shown, or none.
    static func more(_ index: Int, in shown: some BidirectionalCollection<Int>, of count: Int) -> String {
        if index == shown.first, index > 0 { return "↑" }
        return index == shown.last && index < count - 1 ? "↓" : " "
    }

    /// A plain text of at most `width` columns; what is cut off is marked by "…".
    static func cut(_ text: String, _ width: Int) -> String {
        if TextWidth.columns(text) <= width { return text }
        return prefix(text, width - 1) + (width > 0 ? "…" : "")
    }

    /// As much of a plain text as `width` columns hold.
    static func prefix(_ text: some StringProtocol, _ width: Int) -> String {
        var result = ""
        var columns = 0
        for character in text {
            columns += TextWidth.columns(character)
            if columns > width { break }
            result.append(character)
        }
        return result
    }

    /// A text in lines of at most `width` columns, broken between words where it can be.
    static func wrapped(_ text: String, _ width: Int) -> [String] {
        let width = max(1, width)
        var lines: [String] = []
        var line = ""
        for word in clean(text).split(separator: " ") {
            if !line.isEmpty, TextWidth.columns(line) + 1 + TextWidth.columns(word) > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
            while TextWidth.columns(line) > width {
                let part = prefix(line, width)
                // A character that is wider than the line has to go somewhere.
                let count = max(1, part.count)
                lines.append(String(line.prefix(count)))
                line.removeFirst(count)
            }
        }
        return lines + [line]
    }

    /// Parts in one line of at most `columns`, in their order: of those that have no room the least important ones are
    /// left out.
    ///
    /// - Parameters:
    ///   - parts: texts, which may be coloured, with how important they are: 0 most of all.
    ///   - columns: the width of the line.
    /// - Returns: the line.
    static func line(_ parts: [(text: String, rank: Int)], _ columns: Int) -> String {
        var shown = parts.filter { !$0.text.isEmpty }
        func width() -> Int { shown.reduce(-1) { $0 + TextWidth.columns($1.text) + 2 } }
        while width() > columns, shown.count > 1, let last = shown.map(\.rank).max() {
            shown.removeAll { $0.rank == last }
        }
        return " " + shown.map(\.text).joined(separator: "  ")
    }

    /// A bar for an amplitude, from −60 to 0 dB.
    static func meter(_ amplitude: Float, _ width: Int) -> String {
        let level = max(0, min(1, (Decibels(amplitude: Double(amplitude)).rawValue + 60) / 60))
        let filled = Int(level * Double(max(0, width)) + 0.5)
        return String(repeating: "▮", count: filled) + String(repeating: "▯", count: max(0, width - filled))
    }
}
