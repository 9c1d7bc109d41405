import Foundation

/// The encoding of text in files that don't state it.
enum TextEncoding {
    /// UTF-8 or, with a byte order mark, UTF-16; lines that are neither are Windows' Latin-1.
    static func decode(_ bytes: [UInt8]) -> String {
        let data = Data(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(data: data, encoding: .utf16) ?? ""
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        // Lists are put together by many programs.
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(line).joined(separator: "\n")
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(data: Data(bytes), encoding: .windowsCP1252)
            ?? String(data: Data(bytes), encoding: .isoLatin1) ?? ""
    }
}
