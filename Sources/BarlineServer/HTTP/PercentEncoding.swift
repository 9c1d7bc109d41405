/// The escapes of addresses.
enum PercentEncoding {
    /// A text as it was before it was escaped: a percent sign with two hexadecimal digits is a byte, everything else
    /// stands for itself, a plus sign too (URL Standard, "percent-decode").
    ///
    /// - Parameter text: what an address has.
    /// - Returns: the text; `nil` where its bytes are no UTF-8.
    static func decode(_ text: some StringProtocol) -> String? {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count, let high = digit(source[index + 1]),
                let low = digit(source[index + 2])
            {
                bytes.append(16 * high + low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
