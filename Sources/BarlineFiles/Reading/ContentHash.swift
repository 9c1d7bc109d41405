import Foundation

/// The name of a file's content: the same for the same bytes, whatever the file is called and wherever it is.
package enum ContentHash {
    /// FNV-1a over 64-bit words, twice from different starts, in 32 hexadecimal digits: for
    /// telling files apart, not for trusting them.
    ///
    /// - Parameter path: the file.
    /// - Returns: the hash.
    /// - Throws: where the file can't be read.
    package static func ofFile(_ path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var first = FNV1a()
        var second = FNV1a(basis: 0x6C62_272E_07BB_0142)
        var count: UInt64 = 0
        func add(_ word: UInt64) {
            first.add(word)
            // A multiplication carries upwards only: the other hash sees the high bits low.
            second.add(word.byteSwapped)
        }
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            piece.withUnsafeBytes { bytes in
                let words = bytes.count / 8
                for index in 0..<words {
                    add(bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self).littleEndian)
                }
                for index in 8 * words..<bytes.count { add(UInt64(bytes[index])) }
            }
            count += UInt64(piece.count)
        }
        add(count)
        return [first, second].map { hash in
            let digits = String(hash.value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
