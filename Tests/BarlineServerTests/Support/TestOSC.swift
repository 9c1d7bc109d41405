import Foundation

/// OSC packets, written by hand from the specification.
enum TestOSC {
    /// A packet as OSC 1.0 has it: texts end with one to four zeros, numbers are big-endian.
    static func message(_ address: String, _ types: String = "", _ values: [[UInt8]] = []) -> [UInt8] {
        text(address) + text("," + types) + values.flatMap { $0 }
    }

    static func text(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8) + [0]
        while bytes.count % 4 != 0 { bytes.append(0) }
        return bytes
    }

    static func float(_ value: Float) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (24 - 8 * UInt32($0))) }
    }

    static func integer(_ value: Int32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * Int32($0))) }
    }

    static func bundle(_ seconds: Double, _ elements: [[UInt8]]) -> [UInt8] {
        let time = UInt64((seconds + 2_208_988_800) * 0x1p32)
        let tag = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }
        return text("#bundle") + tag + elements.flatMap { integer(Int32($0.count)) + $0 }
    }
}
