import Foundation

/// The name of a file's content: the same for the same bytes, whatever the file is called and wherever it is.
public enum ContentHash {
    /// FNV-1a (Fowler, Noll & Vo 1991) over 64-bit words, twice from different starts, in 32 hexadecimal digits: for
    /// telling files apart, not for trusting them.
    ///
    /// - Parameter path: the file.
    /// - Returns: the hash.
    /// - Throws: where the file can't be read.
    public static func ofFile(_ path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var first: UInt64 = 0xcbf2_9ce4_8422_2325
        var second: UInt64 = 0x6c62_272e_07bb_0142
        var count: UInt64 = 0
        func add(_ word: UInt64) {
            first = (first ^ word) &* 0x100_0000_01b3
            // A multiplication carries upwards only: the other hash sees the high bits low.
            second = (second ^ word.byteSwapped) &* 0x100_0000_01b3
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
        return [first, second].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
