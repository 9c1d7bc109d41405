/// A colour with opacity.
package struct Color: Hashable, Sendable {
    /// Red, green, blue and opacity, 0 … 255 each.
    package let components: SIMD4<UInt8>

    /// Creates a colour.
    package init(red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8 = 255) {
        components = SIMD4(red, green, blue, opacity)
    }

    /// Reads `"#d97706"`; `nil` where the text is anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(text.dropFirst(), radix: 16)
        else {
            return nil
        }
        self.init(
            red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }
}
