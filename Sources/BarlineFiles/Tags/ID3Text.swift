import Foundation

/// Text in ID3 frames: Latin-1, UTF-16 with or without a byte order mark, UTF-8.
enum ID3Text {
    /// The zero-separated strings, without empty ones at the end.
    static func strings(_ bytes: ArraySlice<UInt8>, encoding: UInt8) -> [String] {
        var strings: [String] = []
        var rest = bytes
        var isBigEndian = true
        while let (before, after) = split(rest, encoding: encoding) {
            strings.append(text(before, encoding: encoding, isBigEndian: &isBigEndian))
            rest = after
        }
        strings.append(text(rest, encoding: encoding, isBigEndian: &isBigEndian))
        while strings.last?.isEmpty == true { strings.removeLast() }
        return strings
    }

    /// What is before and after the first zero, which is two bytes wide in UTF-16; `nil` where there is none.
    static func split(
        _ bytes: ArraySlice<UInt8>, encoding: UInt8
    ) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>)? {
        guard encoding == 1 || encoding == 2 else {
            return bytes.firstIndex(of: 0).map { (bytes[..<$0], bytes[($0 + 1)...]) }
        }
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            if bytes[index] == 0, bytes[index + 1] == 0 { return (bytes[..<index], bytes[(index + 2)...]) }
            index += 2
        }
        return nil
    }

    private static func text(_ bytes: ArraySlice<UInt8>, encoding: UInt8, isBigEndian: inout Bool) -> String {
        switch encoding {
        case 1, 2:
            var bytes = bytes
            // Strings after the first may lack the mark, and are in its order.
            if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
                isBigEndian = bytes.first == 0xFE
                bytes = bytes.dropFirst(2)
            }
            let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isBigEndian ? first << 8 | second : second << 8 | first
            }
            return String(decoding: units, as: UTF16.self)
        case 3: return String(decoding: bytes, as: UTF8.self)
        // What is said to be Latin-1 is often UTF-8 that nobody marked.
        default: return TextEncoding.decode(Array(bytes))
        }
    }
}
