/// Reads XML from front to back: elements, attributes, text; no document types, and so no entities but XML's own.
///
/// The system's parser is not used: it ends the process on some malformed documents.
struct XMLScanner {
    /// Why a document is none.
    struct Malformed: Error {
        let reason: String
    }

    /// An event of the scanner.
    enum Event {
        case start(XMLElement)
        case text(String)
        case end
    }

    private static let deepest = 64
    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

    private let bytes: [UInt8]
    private var offset = 0
    /// The names of the elements that are open, and the namespaces that each declares.
    private var open: [(name: String, namespaces: [String: String])] = []
    private var isEndDue = false
    private var hasRoot = false

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The next event; `nil` at the document's end.
    mutating func next() throws(Malformed) -> Event? {
        if isEndDue {
            isEndDue = false
            open.removeLast()
            return .end
        }
        while offset < bytes.count {
            if bytes[offset] != UInt8(ascii: "<") {
                let text = try references(take(until: "<", required: false))
                if !open.isEmpty { return .text(text) }
                guard text.allSatisfy(\.isWhitespace) else { throw wrong("text outside of the root element") }
            } else if skip("<?") {
                _ = try take(through: "?>")
            } else if skip("<!--") {
                _ = try take(through: "-->")
            } else if skip("<![CDATA[") {
                guard !open.isEmpty else { throw wrong("text outside of the root element") }
                return .text(try take(through: "]]>"))
            } else if skip("<!") {
                throw wrong("a document type of its own is refused")
            } else if skip("</") {
                let name = try take(through: ">").trimmedOfSpace
                guard let last = open.popLast(), last.name == name else { throw wrong("</\(name)> ends nothing") }
                return .end
            } else {
                offset += 1
                return .start(try element())
            }
        }
        guard open.isEmpty, hasRoot else { throw wrong("it ends within an element") }
        return nil
    }

    private mutating func element() throws(Malformed) -> XMLElement {
        guard open.count < XMLScanner.deepest else { throw wrong("elements are nested too deep") }
        guard !open.isEmpty || !hasRoot else { throw wrong("there is a second root element") }
        hasRoot = true
        let name = takeName()
        guard !name.isEmpty else { throw wrong("an element without a name") }
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            if skip("/>") {
                isEndDue = true
                break
            }
            if skip(">") { break }
            let key = takeName()
            skipSpace()
            guard !key.isEmpty, skip("=") else { throw wrong("an attribute without a value") }
            skipSpace()
            let quote = skip("\"") ? "\"" : skip("'") ? "'" : ""
            guard !quote.isEmpty else { throw wrong("an attribute without quotes") }
            attributes[key] = try references(take(through: quote))
        }
        var namespaces: [String: String] = [:]
        for (key, value) in attributes {
            if key == "xmlns" { namespaces[""] = value }
            if key.hasPrefix("xmlns:") { namespaces[String(key.dropFirst(6))] = value }
        }
        open.append((name, namespaces))
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        let prefix = parts.count == 2 ? parts[0] : ""
        let namespace = open.reversed().lazy.compactMap { $0.namespaces[prefix] }.first
        return XMLElement(name: parts.last ?? name, namespace: namespace, attributes: attributes)
    }

    // MARK: Characters

    private func wrong(_ reason: String) -> Malformed {
        let line = bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
        return Malformed(reason: "line \(line): \(reason)")
    }

    private mutating func skip(_ mark: StaticString) -> Bool {
        let matches = mark.withUTF8Buffer { bytes[offset...].starts(with: $0) }
        if matches { offset += mark.utf8CodeUnitCount }
        return matches
    }

    private mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    }

    private mutating func takeName() -> String {
        let end = bytes[offset...].firstIndex { $0 <= 0x20 || "=/><\"'".utf8.contains($0) } ?? bytes.count
        defer { offset = end }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    private mutating func take(through mark: String) throws(Malformed) -> String {
        let text = try take(until: mark, required: true)
        offset += mark.utf8.count
        return text
    }

    private mutating func take(until mark: String, required: Bool) throws(Malformed) -> String {
        let mark = Array(mark.utf8)
        var end = offset
        while end < bytes.count, !(bytes[end] == mark[0] && bytes[end...].starts(with: mark)) { end += 1 }
        guard end < bytes.count || !required else { throw wrong("it ends within a tag, a comment or a value") }
        defer { offset = end }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    /// A text with what its references stand for: found by bytes, for a mark that is written over the character before
    /// makes one of the two.
    private func references(_ text: String) throws(Malformed) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<ampersand]
            guard let semicolon = rest[ampersand...].utf8.prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw wrong("& without an entity")
            }
            let name = rest[rest.utf8.index(after: ampersand)..<semicolon]
            if let known = XMLScanner.entities[String(name)] {
                result += known
            } else if let scalar = XMLScanner.scalar(name) {
                result.unicodeScalars.append(scalar)
            } else {
                throw wrong("there is no entity \(name)")
            }
            rest = rest[rest.utf8.index(after: semicolon)...]
        }
        return result + rest
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap { $0 > 0 ? Unicode.Scalar($0) : nil }
    }
}

/// The beginning of an element.
struct XMLElement {
    /// Its name without a prefix.
    let name: String
    /// The namespace that its prefix stands for.
    let namespace: String?
    /// Its attributes, with their prefixes.
    let attributes: [String: String]
}

extension String {
    fileprivate var trimmedOfSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
