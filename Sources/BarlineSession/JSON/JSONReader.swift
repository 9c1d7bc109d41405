/// Why a text is no JSON.
struct JSONSyntaxError: Error, CustomStringConvertible {
    /// In the words of an error message.
    let description: String
}

/// Reads JSON in the time that its length takes: each byte is looked at once, or twice in a text or a number.
///
/// A comma after the last element of a list or an object is taken, and of two keys that are the same the first counts:
/// sessions that were written by hand have been read so from the beginning.
struct JSONReader: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0
    private var depth = 0

    /// How deep lists and objects may lie in one another: nothing that is written here is half as deep.
    static let deepestNesting = 32

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The one value of a text in UTF-8.
    ///
    /// - Complexity: O(*n*) in its bytes.
    static func value(of bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> JSONValue {
        var reader = JSONReader(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
        let value = try reader.value()
        if reader.next() != nil { throw reader.syntaxError("something follows the value") }
        return value
    }

    // MARK: Values

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        guard let byte = next() else { throw syntaxError("it ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw syntaxError("no value begins like this")
        }
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONValue {
        try descend()
        var elements: [JSONValue] = []
        while next() != UInt8(ascii: "]") {
            elements.append(try value())
            if try isLast(before: UInt8(ascii: "]")) { break }
        }
        ascend()
        return .array(elements)
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONValue {
        try descend()
        var values: [String: JSONValue] = [:]
        while next() != UInt8(ascii: "}") {
            guard next() == UInt8(ascii: "\"") else { throw syntaxError("a key in quotation marks is expected") }
            let key = try string()
            guard next() == UInt8(ascii: ":") else { throw syntaxError("a colon is expected") }
            place += 1
            let value = try value()
            if values[key] == nil { values[key] = value }
            if try isLast(before: UInt8(ascii: "}")) { break }
        }
        ascend()
        return .object(values)
    }

    private mutating func descend() throws(JSONSyntaxError) {
        depth += 1
        guard depth <= JSONReader.deepestNesting else {
            throw syntaxError("lists and objects are nested more than \(JSONReader.deepestNesting) deep")
        }
        place += 1
    }

    private mutating func ascend() {
        depth -= 1
        place += 1
    }

    /// Passes the comma after an element.
    ///
    /// - Returns: whether there is none, for the list's end is there.
    private mutating func isLast(before end: UInt8) throws(JSONSyntaxError) -> Bool {
        switch next() {
        case end: return true
        case UInt8(ascii: ","):
            place += 1
            return false
        case nil: throw syntaxError("it ends within a list or an object")
        default: throw syntaxError("a comma is expected")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let end = place + word.utf8CodeUnitCount
        let named = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard end <= bytes.count, bytes[place..<end].elementsEqual(named) else {
            throw syntaxError("no value begins like this")
        }
        place = end
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = place
        let isNegative = bytes[place] == UInt8(ascii: "-")
        if isNegative { place += 1 }
        let first = place
        let whole = digits()
        guard place > first, place == first + 1 || bytes[first] != UInt8(ascii: "0") else {
            throw syntaxError("a number can't be written like this")
        }
        let isWhole = try passFraction() == false
        if isWhole, let whole, whole < 1 << 53 { return .number(isNegative ? -Double(whole) : Double(whole)) }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard let value = Double(text), value.isFinite, value != 0 || isZero(first) else {
            throw syntaxError("a number is beyond all bounds")
        }
        if abs(value) < 0x1p53 { return .number(value) }
        return (isWhole ? Int64(text) : Int64(exactly: value)).map(JSONValue.integer) ?? .number(value)
    }

    /// Whether the number whose digits begin at `first`, and end here, is zero and not only rounded to it.
    private func isZero(_ first: Int) -> Bool {
        bytes[first..<place].prefix { $0 | 0x20 != UInt8(ascii: "e") }
            .allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }

    /// Passes what may follow a number's whole part.
    ///
    /// - Returns: whether there was something.
    private mutating func passFraction() throws(JSONSyntaxError) -> Bool {
        let start = place
        if peek() == UInt8(ascii: ".") { try passDigits() }
        if let sign = peek(), sign | 0x20 == UInt8(ascii: "e") {
            if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "+") || bytes[place + 1] == UInt8(ascii: "-") {
                place += 1
            }
            try passDigits()
        }
        return place > start
    }

    /// Passes a byte and the digits after it, of which there is one at least.
    private mutating func passDigits() throws(JSONSyntaxError) {
        place += 1
        let start = place
        _ = digits()
        if place == start { throw syntaxError("a number can't be written like this") }
    }

    /// Passes digits.
    ///
    /// - Returns: their value; `nil` where it is no `UInt64`.
    private mutating func digits() -> UInt64? {
        var value: UInt64? = 0
        while let byte = peek(), byte &- UInt8(ascii: "0") < 10 {
            let (tens, isOver) = (value ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, isBeyond) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            value = value == nil || isOver || isBeyond ? nil : sum
            place += 1
        }
        return value
    }

    // MARK: Texts

    private mutating func string() throws(JSONSyntaxError) -> String {
        place += 1
        let start = place
        while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { place += 1 }
        guard peek() == UInt8(ascii: "\"") else { return try escapedString(from: start) }
        defer { place += 1 }
        return try text(bytes[start..<place])
    }

    /// A text with escapes, of which what is before `place` has none.
    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var plain = Array(bytes[start..<place])
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return try text(plain)
            case UInt8(ascii: "\\"): plain.append(contentsOf: try escaped())
            case ..<0x20: throw syntaxError("a control character in a text")
            default:
                plain.append(byte)
                place += 1
            }
        }
        throw syntaxError("it ends within a text")
    }

    private func text(_ bytes: some Sequence<UInt8>) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw syntaxError("a text is not UTF-8") }
        return text
    }

    /// What a backslash and what is behind it stand for, in UTF-8.
    private mutating func escaped() throws(JSONSyntaxError) -> [UInt8] {
        place += 1
        guard let byte = peek() else { throw syntaxError("it ends within a text") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try scalar()).utf8)
        default: throw syntaxError("a backslash before what needs none")
        }
    }

    /// The character of `\u`, of which the digits are next; of two where they are the halves of one.
    private mutating func scalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        let unit = try unit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
            bytes[place + 1] == UInt8(ascii: "u")
        else { throw syntaxError("half of a character") }
        place += 2
        let low = try self.unit()
        guard 0xDC00..<0xE000 ~= low,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw syntaxError("half of a character") }
        return scalar
    }

    private mutating func unit() throws(JSONSyntaxError) -> UInt16 {
        guard place + 4 <= bytes.count else { throw syntaxError("it ends within a text") }
        var unit: UInt16 = 0
        for byte in bytes[place..<place + 4] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(byte - UInt8(ascii: "A") + 10)
            default: throw syntaxError("four hexadecimal digits are expected")
            }
        }
        place += 4
        return unit
    }

    // MARK: Bytes

    private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

    /// The next byte that is no space; it is not passed.
    private mutating func next() -> UInt8? {
        while let byte = peek() {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            place += 1
        }
        return nil
    }

    private func syntaxError(_ reason: String) -> JSONSyntaxError {
        let before = bytes[..<min(place, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return JSONSyntaxError(description: "\(reason), at line \(line), column \(column)")
    }
}
