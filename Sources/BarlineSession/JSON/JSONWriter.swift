/// Writes JSON, the keys of objects in the order of their bytes: in one line without spaces, or in many that are
/// indented.
///
/// What is long need not be a ``JSONValue`` as a whole: lists and objects are written element by element.
package struct JSONWriter: ~Copyable {
    private var text: [UInt8] = []
    /// How deep the value lies that is written; `nil` where all is one line.
    private var depth: Int?

    private init(depth: Int?) { self.depth = depth }

    /// A value as text. Numbers that are not finite are `null`.
    ///
    /// - Complexity: O(*n*) in what is written, but for sorting the keys of objects.
    static func line(_ value: JSONValue) -> String {
        String(decoding: line { $0.add(value) }, as: UTF8.self)
    }

    /// A value as indented text that ends with a line break, as Foundation's encoder writes it.
    ///
    /// - Complexity: that of ``line(_:)``.
    static func document(_ value: JSONValue) -> String {
        String(decoding: document { $0.add(value) }, as: UTF8.self)
    }

    /// What `write` writes, which is one value, as one line in UTF-8.
    package static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(depth: nil)
        write(&writer)
        return writer.text
    }

    /// What `write` writes, which is one value, as indented text in UTF-8 that ends with a line break.
    static func document(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(depth: 0)
        write(&writer)
        writer.text.append(UInt8(ascii: "\n"))
        return writer.text
    }

    /// Writes a list, of which `write` writes each element.
    package mutating func add<Element>(
        list elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
    ) {
        open(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            separate(index)
            write(&self, element)
        }
        close(UInt8(ascii: "]"))
    }

    /// Writes an object, of which `write` writes the value of each key.
    package mutating func add(object keys: [String], _ write: (inout JSONWriter, String) -> Void) {
        open(UInt8(ascii: "{"))
        for (index, key) in keys.sorted(by: JSONWriter.isBefore).enumerated() {
            add(key: key, at: index)
            write(&self, key)
        }
        close(UInt8(ascii: "}"))
    }

    private static func isBefore(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private mutating func add(key: String, at index: Int) {
        separate(index)
        add(quoting: key)
        put(depth == nil ? ":" : " : ")
    }

    /// Writes a value.
    package mutating func add(_ value: JSONValue) {
        switch value {
        case .null: put("null")
        case .bool(let value): put(value ? "true" : "false")
        case .number(let value): add(value)
        case .integer(let value): text.append(contentsOf: String(value).utf8)
        case .string(let value): add(quoting: value)
        case .array(let values): add(list: values) { $0.add($1) }
        case .object(let values):
            open(UInt8(ascii: "{"))
            let pairs = values.sorted { JSONWriter.isBefore($0.key, $1.key) }
            for (index, pair) in pairs.enumerated() {
                add(key: pair.key, at: index)
                add(pair.value)
            }
            close(UInt8(ascii: "}"))
        }
    }

    private mutating func open(_ bracket: UInt8) {
        text.append(bracket)
        guard let depth else { return }
        self.depth = depth + 1
        text.append(UInt8(ascii: "\n"))
    }

    private mutating func separate(_ index: Int) {
        if index > 0 { put(depth == nil ? "," : ",\n") }
        indent()
    }

    private mutating func close(_ bracket: UInt8) {
        if let depth {
            self.depth = depth - 1
            text.append(UInt8(ascii: "\n"))
            indent()
        }
        text.append(bracket)
    }

    private mutating func indent() {
        if let depth { text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth)) }
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
