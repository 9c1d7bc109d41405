import BarlineFiles
import Foundation

/// A TCP connection written by hand, so that a test may say what no library would.
final class TestSocket {
    /// Why there is no connection, or nothing more comes.
    enum Failure: Error {
        case notConnected
        case closed
        case silent
    }

    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var client: ChildProcess?

    // `receiveBuffer` is what the system may hold for the test, in bytes; 0 for as much as it likes.
    init(port: Int, receiveBuffer: Int32 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if receiveBuffer > 0 {
            var size = receiveBuffer
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else {
            Glibc.close(descriptor)
            throw Failure.notConnected
        }
    }

    /// A connection over TLS, through OpenSSL's client, which trusts one certificate only.
    init(securelyTo port: Int, named name: String = "localhost", trusting certificate: String, options: [String] = [])
        throws
    {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure.notConnected }
        descriptor = ends[0]
        defer { Glibc.close(ends[1]) }
        client = try ChildProcess(
            "/usr/bin/env",
            [
                "openssl", "s_client", "-quiet", "-verify_return_error", "-verify_hostname", name, "-servername", name,
                "-CAfile", certificate, "-connect", "127.0.0.1:\(port)",
            ] + options, input: ends[1], output: ends[1])
    }

    deinit {
        client?.signal(SIGTERM)
        Glibc.close(descriptor)
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            sent += count
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// So many bytes, or fewer where fewer come in time.
    func read(_ count: Int, within seconds: Double = 60) throws -> [UInt8] {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while pending.count < count { try fill(until: deadline) }
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }

    /// The bytes up to and with `end`.
    func read(through end: String, within seconds: Double = 60) throws -> String {
        let mark = Array(end.utf8)
        let deadline = Date(timeIntervalSinceNow: seconds)
        var from = 0
        while true {
            if pending.count >= mark.count {
                for index in from...(pending.count - mark.count)
                where pending[index..<index + mark.count].elementsEqual(mark) {
                    defer { pending.removeFirst(index + mark.count) }
                    return String(decoding: pending[..<(index + mark.count)], as: UTF8.self)
                }
                from = pending.count - mark.count
            }
            try fill(until: deadline)
        }
    }

    private func fill(until deadline: Date) throws {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let wait = Int32(max(0, deadline.timeIntervalSinceNow * 1000))
        guard poll(&poller, 1, wait) > 0 else { throw Failure.silent }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failure.closed }
        pending += buffer[..<count]
    }

    /// Throws away what has come, without waiting.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    /// Whether the other side closes the connection in time, whatever it sends before.
    func isClosed(within seconds: Double) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            do {
                pending = []
                try fill(until: deadline)
            } catch Failure.closed {
                return true
            } catch {
                return false
            }
        }
    }
}
