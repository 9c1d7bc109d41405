import Foundation

/// The name of a file's content: the same for the same bytes, whatever the file is called and wherever it is.
package enum ContentHash {
    /// FNV-1a over 64-bit words, twice from different starts, in 32 hexadecimal digits: for
    /// telling files apart, not for trusting them.
    ///
    /// - Parameter path: the file.
    /// - Returns: the hash.
    /// - Throws: where the file can't be read, or is none.
    package static func ofFile(_ path: String) throws -> String {
        let file = FileHandle(fileDescriptor: try RegularFile.open(path).descriptor, closeOnDealloc: true)
        defer { try? file.close() }
        var hash = TwinHash()
        var count: UInt64 = 0
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            piece.withUnsafeBytes { bytes in
                let words = bytes.count / 8
                for index in 0..<words {
                    hash.add(bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self).littleEndian)
                }
                for index in 8 * words..<bytes.count { hash.add(UInt64(bytes[index])) }
            }
            count += UInt64(piece.count)
        }
        hash.add(count)
        return [hash.first, hash.second].map { hash in
            let digits = String(hash.value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
