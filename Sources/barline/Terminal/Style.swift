import BarlineDSP

/// Text of fixed width and in colour, for a terminal.
enum Style {
    static func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[0m" }
    static func dim(_ text: String) -> String { "\u{1B}[2m\(text)\u{1B}[0m" }
    static func warning(_ text: String) -> String { "\u{1B}[33m\(text)\u{1B}[0m" }
    static func queued(_ text: String) -> String { "\u{1B}[36m\(text)\u{1B}[0m" }

    /// A text whose background shows progress, 0 … 1.
    static func playing(_ text: String, _ progress: Double) -> String {
        let count = max(0, min(text.count, Int(progress * Double(text.count))))
        return "\u{1B}[1;30;42m\(text.prefix(count))\u{1B}[0m\u{1B}[1;32m\(text.dropFirst(count))\u{1B}[0m"
    }

    /// A text cut or filled to `width`, its last column left empty.
    static func fit(_ text: String, _ width: Int) -> String {
        let cut = text.count > width - 1 ? text.prefix(max(0, width - 2)) + "…" : text[...]
        return cut + String(repeating: " ", count: max(0, width - cut.count))
    }

    /// A text in lines of at most `width` characters, broken between words where it can be.
    static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }

    /// A bar for an amplitude, from −60 to 0 dB.
    static func meter(_ amplitude: Float, _ width: Int) -> String {
        let level = max(0, min(1, (Decibels(amplitude: Double(amplitude)).rawValue + 60) / 60))
        let filled = Int(level * Double(width) + 0.5)
        return String(repeating: "▮", count: filled) + String(repeating: "▯", count: max(0, width - filled))
    }
}
