import Foundation
import Testing

@testable import BarlineCommand

/// Columns of text.
@Suite("Columns of text")
struct TextWidthTests {
    @Test("Every character has the width that the C library gives it")
    func library() throws {
        let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        typealias Width = @convention(c) (Int32) -> Int32
        let wcwidth = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Width.self)
        var wrong: [String] = []
        for value in UInt32(0x20)...0x3FFFD {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned,
                scalar.properties.generalCategory != .privateUse
            else { continue }
            let expected = wcwidth(Int32(value))
            // The library knows an older Unicode, in which one mark took no place; and half a flag is no character.
            if expected < 0 || value == 0x1171E || (0x1F1E6...0x1F1FF).contains(value) { continue }
            let found = TextWidth.columns(Character(scalar))
            if found != Int(expected) { wrong.append("U+\(String(value, radix: 16)): \(found), not \(expected)") }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(40))")
    }

    @Test(
        "What is drawn as one takes the place of one",
        arguments: [
            ("", 0), ("abc", 3), ("日本語", 6), ("e\u{301}", 1), ("ｱｲｳ", 3), ("👩‍👩‍👧", 2), ("🇨🇭", 2), ("❤️", 2), ("한국", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1B}[1;30;42mab\u{1B}[0m", 2), ("a\u{200B}b", 2), ("▶", 1),
        ])
    func clusters(text: String, columns: Int) {
        #expect(TextWidth.columns(text) == columns)
    }

    @Test("What is cut or filled has exactly its columns", arguments: 0...12)
    func fit(width: Int) {
        for text in ["", "a", "日本語のループ", "a日b本c語", "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", "👩‍👩‍👧👩‍👩‍👧 x"] {
            #expect(TextWidth.columns(Style.fit(text, width)) == width, "\(text)")
            #expect(TextWidth.columns(Style.cut(text, width)) <= width, "\(text)")
            for line in Style.wrapped(text, max(2, width)) { #expect(TextWidth.columns(line) <= max(2, width)) }
        }
    }
}
