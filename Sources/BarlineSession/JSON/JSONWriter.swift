/// Writes JSON in one line, without spaces, the keys of objects in the order of their bytes.
struct JSONWriter: ~Copyable {
    private var text: [UInt8] = []

    /// A value as text. Numbers that are not finite are `null`.
    ///
    /// - Complexity: O(*n*) in what is written, but for sorting the keys of objects.
    static func line(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.add(value)
        return String(decoding: writer.text, as: UTF8.self)
    }

    private mutating func add(_ value: JSONValue) {
        switch value {
        case .null: put("null")
        case .bool(let value): put(value ? "true" : "false")
        case .number(let value): add(value)
        case .integer(let value): text.append(contentsOf: String(value).utf8)
        case .string(let value): add(quoting: value)
        case .array(let values):
            text.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                add(value)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let values):
            text.append(UInt8(ascii: "{"))
            let pairs = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, pair) in pairs.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                add(quoting: pair.key)
                text.append(UInt8(ascii: ":"))
                add(pair.value)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private mutating func put(_ word: StaticString) {
        text.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// The shortest digits that are read as the same number; whole ones without a fraction.
    private mutating func add(_ value: Double) {
        if !value.isFinite { return put("null") }
        if value == value.rounded(), abs(value) < 0x1p53 {
            return text.append(contentsOf: String(Int64(value)).utf8)
        }
        let digits = value.description.utf8
        text.append(contentsOf: digits.suffix(2).elementsEqual(".0".utf8) ? digits.dropLast(2) : digits[...])
    }

    private mutating func add(quoting value: String) {
        text.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x08: put("\\b")
            case 0x09: put("\\t")
            case 0x0A: put("\\n")
            case 0x0C: put("\\f")
            case 0x0D: put("\\r")
            case ..<0x20:
                put("\\u00")
                for digit in [byte >> 4, byte & 15] { text.append(digit + (digit < 10 ? 48 : 87)) }
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
