import BarlineTestNumbers
import BarlineTestSupport
import Foundation
import Testing

@testable import BarlineSession

/// Reading JSON, beside Foundation's decoder.
@Suite("Reading JSON", .fewAtATime)
struct JSONReaderTests {
    /// What Foundation reads; `nil` where it refuses.
    private func expected(_ text: some Sequence<UInt8>) -> JSONValue? {
        try? JSONDecoder().decode(JSONValue.self, from: Data(text))
    }

    private func read(_ text: some Sequence<UInt8>) -> JSONValue? { try? JSONValue(parsing: Data(text)) }

    @Test(
        "Every kind of value is what Foundation makes of it, and what is none is refused",
        arguments: [
            "0", "-0", "-1", "12.5", "1E+05", "1e-3", "0.1e-310", "9007199254740991", "9007199254740992",
            "-9007199254740993", "1e16", "1e18",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
            "123456789012345678901234567890", "1.0e20", "1e308", "0e400", "-0.00e-400", "1e-400", "1e400", "-1e400",
            "01", "-01", "00", "-", "--1", "+1", "1.", ".5",
            "1.e3", "1e", "1e+", "0x10", "NaN", "Infinity", "true", "false", "null", "nul", "truey", "True",
            "[true,false,null]",
            #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u00e9\u20AC\uD83D\uDE00""#, #""\u0000""#, #""\ud800""#,
            #""\ud800\u0041""#,
            #""\ud800x""#, #""\udc00""#, #""\ud83d\ud83d""#, #""\u12""#, #""\u12g4""#, #""\x""#, #""\"#, #""a"#,
            "\"\t\"", "\"\u{1}\"",
            "\"\u{7f}é😀\"", "'a'", "[]", "[ ]", "[1, 2 ,3]", "[1,]", "[,]", "[,1]", "[1,,2]", "[1 2]", "[1", "[", "]",
            "[]]", "[1}",
            "{}", "{ }", #"{"a":1}"#, #" { "a" : [ { } ] , "b" : "c" } "#, #"{"a":1,}"#, #"{"a":1,"a":2}"#,
            #"{"\u0061":1,"a":2}"#, "{,}",
            "{a:1}", "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{"a":1"#, #"{"a":1]"#, "", " ",
            "\n", "1 2", "[] x",
            "// a\n1", "/**/1", "\u{feff}1", "\u{a0}1", "\u{c}1",
        ])
    func kinds(text: String) { #expect(read(text.utf8) == expected(text.utf8), "\(text)") }

    @Test("Texts that are not UTF-8 are refused")
    func encoding() {
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3], [0xF4, 0x90, 0x80, 0x80], [0x80]] {
            #expect(read([0x22] + bytes + [0x22]) == nil)
            #expect(read([0x22, 0x5C, 0x6E] + bytes + [0x22]) == nil)
        }
    }

    @Test("Random values, and what is left of them when bytes are changed, are read as Foundation reads them")
    func random() throws {
        var chance = SeededRandom(seed: 7)
        let signs = Array(#"{}[]",:\ -+.eE0179untrfalsu/"#.utf8)
        for _ in 0..<3_000 {
            var text = Array(value(&chance, depth: 4).line.utf8)
            #expect(read(text) == expected(text), "\(String(decoding: text, as: UTF8.self))")
            for _ in 0..<Int.random(in: 1...3, using: &chance) where !text.isEmpty {
                let place = Int.random(in: 0..<text.count, using: &chance)
                switch Int.random(in: 0..<3, using: &chance) {
                case 0: text.remove(at: place)
                case 1: text.insert(signs.randomElement(using: &chance) ?? 0, at: place)
                default: text[place] = signs.randomElement(using: &chance) ?? 0
                }
            }
            #expect(rounded(read(text)) == rounded(expected(text)), "\(String(decoding: text, as: UTF8.self))")
        }
    }

    /// With whole numbers as `Double`s: of those that are written with a fraction Foundation keeps more digits.
    private func rounded(_ value: JSONValue?) -> JSONValue? {
        switch value {
        case .integer(let value)?: .number(Double(value))
        case .array(let values)?: .array(values.compactMap(rounded))
        case .object(let values)?: .object(values.compactMapValues(rounded))
        default: value
        }
    }

    @Test("Lines and documents are written as Foundation writes them, with their keys sorted")
    func writing() throws {
        let (encoder, indenting) = (JSONEncoder(), JSONEncoder())
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        indenting.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        var chance = SeededRandom(seed: 8)
        let whole: [JSONValue] = [
            .number(-0.0), .number(0x1p53), .number(-0x1p53), .number(1e300), .number(.leastNonzeroMagnitude),
            .integer(.max),
            .string(String((0..<128).compactMap { Unicode.Scalar($0) }.map(Character.init))),
            ["é": 1, "z": 2, "e\u{301}x": 3, "Z": 4, "": 5, "zz": 6, "😀": 7, "\u{FFFF}": 8],
        ]
        for value in whole + (0..<2_000).map({ _ in value(&chance, depth: 4) }) {
            #expect(value.line == String(decoding: try encoder.encode(value), as: UTF8.self))
            let document = String(decoding: try indenting.encode(value), as: UTF8.self) + "\n"
            #expect(JSONText.document(value) == document)
        }
        #expect(JSONValue.array([.number(.nan), .number(-.infinity)]).line == "[null,null]")
    }

    private func value(_ chance: inout SeededRandom, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &chance) {
        case 0: return [.null, .bool(true), .bool(false)].randomElement(using: &chance) ?? .null
        case 1: return .number(Double(Int.random(in: -1_000_000...1_000_000, using: &chance)))
        case 2: return .number(Double.random(in: -1e6...1e6, using: &chance))
        case 3: return .integer(Int64.random(in: .min...(-(1 << 53)), using: &chance))
        case 4: return .number(Double(bitPattern: UInt64.random(in: 1 << 60...2 << 60, using: &chance)))
        case 5: return .string(text(&chance))
        case 6:
            return .array((0..<Int.random(in: 0..<5, using: &chance)).map { _ in value(&chance, depth: depth - 1) })
        default:
            let pairs = (0..<Int.random(in: 0..<5, using: &chance)).map { _ in
                (text(&chance), value(&chance, depth: depth - 1))
            }
            return .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
        }
    }

    private func text(_ chance: inout SeededRandom) -> String {
        let signs: [Character] = ["a", "\"", "\\", "/", "\n", "\u{1}", "é", "😀", " ", "{", "7", "\u{7f}"]
        return String(
            (0..<Int.random(in: 0..<8, using: &chance)).compactMap { _ in signs.randomElement(using: &chance) })
    }

    @Test("What is wrong is said with its line and column")
    func words() {
        for (text, words) in [
            ("{\n  \"a\" 1\n}", "a colon is expected, at line 2, column 7"),
            ("[1, 2", "it ends within a list or an object, at line 1, column 6"),
            ("[1]\n\n  x", "something follows the value, at line 3, column 3"),
            ("", "it ends where a value is expected, at line 1, column 1"),
            ("{\"a\": 01}", "a number can't be written like this, at line 1, column 9"),
        ] {
            let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
            #expect(error?.description == words)
        }
    }
}
