/// One value of an OSC message.
package enum OSCArgument: Hashable, Sendable {
    case integer(Int64)
    case number(Double)
    case text(String)
    case bool(Bool)
    case blob([UInt8])
    case null

    /// Whether it is bytes, which no action takes.
    var isBlob: Bool { if case .blob = self { true } else { false } }
}

/// An OSC message: what is meant, and its values.
package struct OSCMessage: Hashable, Sendable {
    var address: String
    var arguments: [OSCArgument] = []
}

/// The time tag of a bundle, as OSC counts: 2⁻³² seconds since 1900.
package struct OSCTime: Hashable, Sendable {
    /// The value that stands for at once.
    static let now = OSCTime(rawValue: 1)

    package let rawValue: UInt64

    /// Seconds since 1970.
    var seconds: Double { Double(rawValue >> 32) - 2_208_988_800 + Double(rawValue & 0xffff_ffff) / 0x1p32 }
}

/// A packet's messages, each with its time. Bundles within bundles have been opened.
package struct OSCPacket: Hashable, Sendable {
    /// Why a packet is thrown away.
    package enum SyntaxError: Error, Hashable {
        case truncated
        case misaligned
        case badAddress
        case badTypes
        case tooDeep
        case tooMany

        /// What is wrong with it, for people.
        var words: String {
            switch self {
            case .truncated: "it ends too early"
            case .misaligned: "its length is no multiple of 4"
            case .badAddress: "an address is missing, or no text"
            case .badTypes: "it has types of arguments that are not known, or not as many arguments"
            case .tooDeep: "its bundles are more than \(depthLimit) deep"
            case .tooMany: "it has more than \(messageLimit) messages"
            }
        }
    }

    static let depthLimit = 8
    static let messageLimit = 256

    package var messages: [(time: OSCTime, message: OSCMessage)] = []

    package static func == (left: OSCPacket, right: OSCPacket) -> Bool {
        left.messages.elementsEqual(right.messages) { $0.time == $1.time && $0.message == $1.message }
    }

    package func hash(into hasher: inout Hasher) {
        for entry in messages {
            hasher.combine(entry.time)
            hasher.combine(entry.message)
        }
    }

    /// Reads a packet, all of it or nothing.
    package init(_ bytes: [UInt8]) throws(SyntaxError) {
        try read(bytes[...], time: .now, depth: 0)
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, time: OSCTime, depth: Int) throws(SyntaxError) {
        guard depth <= OSCPacket.depthLimit else { throw .tooDeep }
        guard bytes.count % 4 == 0 else { throw .misaligned }
        var reader = OSCReader(bytes)
        if bytes.first != UInt8(ascii: "#") {
            guard messages.count < OSCPacket.messageLimit else { throw .tooMany }
            return messages.append((time, try OSCMessage(&reader)))
        }
        guard try reader.text() == "#bundle" else { throw .badAddress }
        let inner = OSCTime(rawValue: try reader.integer(UInt64.self))
        while !reader.isAtEnd {
            let length = Int(try reader.integer(Int32.self))
            guard length > 0 else { throw .truncated }
            try read(try reader.bytes(length), time: inner, depth: depth + 1)
        }
    }
}

extension OSCMessage {
    fileprivate init(_ reader: inout OSCReader) throws(OSCPacket.SyntaxError) {
        address = try reader.text()
        guard address.hasPrefix("/"), address.utf8.count > 1 else { throw .badAddress }
        // Old senders leave the types out where there are no values.
        if reader.isAtEnd { return }
        let types = try reader.text()
        guard types.hasPrefix(",") else { throw .badTypes }
        for type in types.utf8.dropFirst() { arguments.append(try reader.argument(type)) }
        guard reader.isAtEnd else { throw .badTypes }
    }

    /// The message as bytes.
    package var bytes: [UInt8] {
        var result = OSCMessage.padded(address)
        var types = ","
        var values: [UInt8] = []
        for argument in arguments {
            switch argument {
            case .integer(let value):
                types += "i"
                values += OSCMessage.big(Int32(clamping: value))
            case .number(let value):
                types += "f"
                values += OSCMessage.big(Float(value).bitPattern)
            case .text(let value):
                types += "s"
                values += OSCMessage.padded(value)
            case .bool(let value): types += value ? "T" : "F"
            case .blob(let value):
                types += "b"
                values += OSCMessage.big(Int32(clamping: value.count)) + value
                values += [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
            case .null: types += "N"
            }
        }
        result += OSCMessage.padded(types)
        return result + values
    }

    private static func padded(_ text: String) -> [UInt8] {
        // A text ends at its first zero.
        let bytes = Array(text.utf8.prefix { $0 != 0 })
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }

    private static func big<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}

/// Takes values from a packet's bytes.
private struct OSCReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func bytes(_ count: Int) throws(OSCPacket.SyntaxError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(OSCPacket.SyntaxError) -> Value {
        try bytes(MemoryLayout<Value>.size).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    mutating func text() throws(OSCPacket.SyntaxError) -> String {
        guard let end = rest.firstIndex(of: 0) else { throw .truncated }
        let content = rest[rest.startIndex..<end]
        guard let text = String(validating: content, as: UTF8.self) else { throw .badAddress }
        _ = try bytes(content.count + 4 - content.count % 4)
        return text
    }

    mutating func argument(_ type: UInt8) throws(OSCPacket.SyntaxError) -> OSCArgument {
        switch Character(UnicodeScalar(type)) {
        case "i": return .integer(Int64(try integer(Int32.self)))
        case "h": return .integer(try integer(Int64.self))
        case "f":
            // The number that was meant: 0.7 as 32 bits is 0.699999988 as 64.
            let value = Float(bitPattern: try integer(UInt32.self))
            return .number(Double(value.description) ?? Double(value))
        case "d": return .number(Double(bitPattern: try integer(UInt64.self)))
        case "t": return .number(OSCTime(rawValue: try integer(UInt64.self)).seconds)
        case "s", "S": return .text(try text())
        case "T": return .bool(true)
        case "F": return .bool(false)
        case "N", "I": return .null
        case "b":
            let count = Int(try integer(Int32.self))
            let content = try bytes(count)
            _ = try bytes((4 - count % 4) % 4)
            return .blob(Array(content))
        default: throw .badTypes
        }
    }
}
