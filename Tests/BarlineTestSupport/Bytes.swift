/// Numbers and chunks as bytes, to write files by hand.
package enum Bytes {
    /// The low `count` bytes of `value`, the lowest first.
    package static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// The low `count` bytes of `value`, the highest first.
    package static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

    /// The number that little-endian bytes give, without a sign.
    package static func unsigned(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The number that little-endian bytes give, with a sign.
    package static func signed(_ bytes: some Collection<UInt8>) -> Int {
        let shift = 64 - 8 * bytes.count
        return (unsigned(bytes) << shift) >> shift
    }

    /// A RIFF chunk; its length is that of `body` unless stated otherwise.
    package static func chunk(_ name: String, _ body: [UInt8], claiming length: Int? = nil) -> [UInt8] {
        Array(name.utf8) + little(length ?? body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
    }

    /// An AIFF chunk.
    package static func bigChunk(_ name: String, _ body: [UInt8], claiming length: Int? = nil) -> [UInt8] {
        Array(name.utf8) + big(length ?? body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
    }
}
