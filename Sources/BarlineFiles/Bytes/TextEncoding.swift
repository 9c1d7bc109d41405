import Foundation

/// The encoding of text in files that don't state it.
enum TextEncoding {
    /// UTF-8 or, with a byte order mark, UTF-16; what is neither is Japanese in Shift-JIS, or has lines in Windows'
    /// Latin-1.
    static func decode(_ bytes: [UInt8]) -> String {
        let data = Data(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(data: data, encoding: .utf16) ?? ""
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        if isJapanese(bytes), let text = String(data: data, encoding: .shiftJIS) { return text }
        // Lists are put together by many programs.
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(line).joined(separator: "\n")
    }

    /// Whether bytes are characters of Shift-JIS (JIS X 0208), kana or several kanji in a row among them. Western text
    /// has bytes that would be kanji too, dashes and quotes, but one by one and before letters.
    private static func isJapanese(_ bytes: [UInt8]) -> Bool {
        var (place, run, isRunHigh, hasFound) = (0, 0, false, false)
        while place < bytes.count {
            let lead = bytes[place]
            guard (0x81...0x9F).contains(lead) || (0xE0...0xEF).contains(lead) else {
                // Half-width kana are single bytes.
                guard lead < 0x80 || (0xA1...0xDF).contains(lead) else { return false }
                (place, run, isRunHigh) = (place + 1, 0, false)
                continue
            }
            guard place + 1 < bytes.count else { return false }
            let trail = bytes[place + 1]
            guard (0x40...0xFC).contains(trail), trail != 0x7F else { return false }
            run += 1
            isRunHigh = isRunHigh || trail >= 0x80
            let isKana =
                lead == 0x82 && (0x9F...0xF1).contains(trail) || lead == 0x83 && (0x40...0x96).contains(trail)
            hasFound = hasFound || isKana || run > 1 && isRunHigh
            place += 2
        }
        return hasFound
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(data: Data(bytes), encoding: .windowsCP1252)
            ?? String(data: Data(bytes), encoding: .isoLatin1) ?? ""
    }
}
