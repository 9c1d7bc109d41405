import Foundation

/// The text of a playlist file, whatever its line ends.
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

    /// The lines, without the white space around them; empty ones are left out.
    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
