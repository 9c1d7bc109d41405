import Foundation

/// The text of a playlist file, whatever its encoding and line ends.
enum PlaylistText {
    /// No list that a person made is larger.
    static let limit: Int64 = 16 << 20

    /// Reads a file as a whole.
    static func bytes(path: String) throws(AudioFileError) -> [UInt8] {
        let (descriptor, size) = try RegularFile.open(path)
        defer { close(descriptor) }
        guard size <= limit else {
            throw .notAPlaylist(path: path, reason: "it has \(size) bytes, and lists have up to \(limit)")
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count, off_t(count))
            }
            if read <= 0 { break }
            count += read
        }
        return Array(bytes.prefix(count))
    }

    /// UTF-8 or, with a byte order mark, UTF-16; what is neither is Windows' Latin-1.
    static func decode(_ bytes: [UInt8]) -> String {
        let data = Data(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(data: data, encoding: .utf16) ?? ""
        }
        return String(validating: bytes, as: UTF8.self) ?? String(data: data, encoding: .windowsCP1252)
            ?? String(data: data, encoding: .isoLatin1) ?? ""
    }

    /// The lines, without the white space around them; empty ones are left out.
    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
