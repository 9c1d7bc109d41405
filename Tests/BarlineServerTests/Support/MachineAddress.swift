import Foundation

/// The addresses that this machine has besides loopback.
enum MachineAddress {
    /// An IPv4 address under which the machine can be reached from itself as if from the network; `nil` where it has
    /// loopback only.
    static let network: String? = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET) else { continue }
            let isUp = entry.ifa_flags & UInt32(IFF_UP) != 0
            let isLoopback = entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
            guard isUp, !isLoopback else { continue }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
                String(cString: inet_ntoa(four.pointee.sin_addr))
            }
        }
        return nil
    }()
}
