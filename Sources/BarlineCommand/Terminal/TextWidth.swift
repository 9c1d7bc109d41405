/// The width of a text in columns of a terminal.
enum TextWidth {
    /// The columns of `text`; escape sequences take none.
    static func columns(_ text: some StringProtocol) -> Int {
        var count = 0
        var isSequence = false
        for character in text {
            if isSequence {
                isSequence = !character.isLetter
            } else if character == "\u{1B}" {
                isSequence = true
            } else {
                count += columns(character)
            }
        }
        return count
    }

    /// The columns of what is drawn as one: its widest part, since marks and joined parts share its place.
    static func columns(_ character: Character) -> Int {
        if character.isASCII { return character == "\r\n" || character < " " || character == "\u{7F}" ? 0 : 1 }
        // A variation selector asks for a picture where there would be a letter.
        if character != "\u{FE0F}", character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return character.unicodeScalars.map(columns).max() ?? 0
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        case .format: return drawnFormats.contains { $0.contains(scalar.value) } ? 1 : 0
        default: break
        }
        // Vowels and finals of Korean syllables are drawn into the place of the first consonant.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return 0 }
        if scalar.properties.isEmojiPresentation || isWide(scalar.value) { return 2 }
        return 1
    }

    private static func isWide(_ value: UInt32) -> Bool {
        wide.contains { $0.contains(value) }
    }

    /// The soft hyphen, and signs that are written before the numbers to which they belong.
    private static let drawnFormats: [ClosedRange<UInt32>] = [
        0xAD...0xAD, 0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x110BD...0x110BD,
        0x110CD...0x110CD,
    ]

    /// Wide and full width by Unicode's East Asian Width (UAX #11), but for pictures.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18D7F, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
