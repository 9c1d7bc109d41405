import Foundation
import NIOCore

/// A range of network addresses, as CIDR writes it: `192.168.1.0/24`, `fd00::/8`, or one address.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]
    private let bits: Int

    /// Reads a range; `nil` where the text is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = AddressRange.bytes(String(first)) else { return nil }
        var bits = 8 * bytes.count
        if parts.count > 1 {
            let isNumber = parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard isNumber, let given = Int(parts[1]), given <= bits else { return nil }
            bits = given
        }
        self.bytes = bytes
        self.bits = bits
    }

    /// The range of one address.
    init?(_ address: SocketAddress) {
        guard let bytes = AddressRange.bytes(address) else { return nil }
        self.bytes = bytes
        bits = 8 * bytes.count
    }

    /// Whether an address lies in the range.
    func contains(_ address: SocketAddress) -> Bool {
        guard let other = AddressRange.bytes(address), other.count == bytes.count else { return false }
        for bit in 0..<bits {
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            if bytes[bit / 8] & mask != other[bit / 8] & mask { return false }
        }
        return true
    }

    /// Whether an address is one of this machine's loopback.
    static func isLoopback(_ address: SocketAddress) -> Bool {
        guard let bytes = AddressRange.bytes(address) else { return false }
        return bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// As it is written.
    package var description: String {
        var bytes = bytes
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(family, &bytes, &text, socklen_t(text.count))
        let address = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        return bits == 8 * bytes.count ? address : "\(address)/\(bits)"
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 { return plain(withUnsafeBytes(of: six) { Array($0) }) }
        return nil
    }

    private static func bytes(_ address: SocketAddress) -> [UInt8]? {
        switch address {
        case .v4(let four): withUnsafeBytes(of: four.address.sin_addr) { Array($0) }
        case .v6(let six): plain(withUnsafeBytes(of: six.address.sin6_addr) { Array($0) })
        case .unixDomainSocket: nil
        }
    }

    /// An IPv4-mapped IPv6 address is the IPv4 address that it maps.
    private static func plain(_ six: [UInt8]) -> [UInt8] {
        let isMapped = six.prefix(10).allSatisfy { $0 == 0 } && six[10] == 0xff && six[11] == 0xff
        return isMapped ? Array(six.suffix(4)) : six
    }
}
