import Foundation

/// Ports of loopback that nobody uses.
package enum FreePorts {
    /// Finds `count` of them, from 20 000 on.
    package static func find(_ count: Int) -> [Int] {
        var found: Set<Int> = []
        while found.count < count {
            let port = Int.random(in: 20_000..<30_000)
            if isFree(port) { found.insert(port) }
        }
        return found.sorted()
    }

    private static func isFree(_ port: Int) -> Bool {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
