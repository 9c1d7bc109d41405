import Foundation

/// A UDP socket that talks to one port of this machine, from the same address.
final class TestDatagrams {
    private let descriptor: Int32

    init(port: Int, host: String = "127.0.0.1") throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else { throw TestSocket.Failure.notConnected }
    }

    deinit { Glibc.close(descriptor) }

    func send(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) } }

    private func next(until deadline: Date) -> [UInt8]? {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, Int32(max(0, deadline.timeIntervalSinceNow * 1000))) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Whether a message to `address` comes in time, and ends with `values`.
    func waits(for address: String, with values: [UInt8] = [], within seconds: Double = 60) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while let bytes = next(until: deadline) {
            if bytes.starts(with: Array(address.utf8) + [0]), bytes.suffix(values.count).elementsEqual(values) {
                return true
            }
        }
        return false
    }

    /// Throws away what has come.
    func drain() { while next(until: Date(timeIntervalSinceNow: 0.2)) != nil {} }
}
