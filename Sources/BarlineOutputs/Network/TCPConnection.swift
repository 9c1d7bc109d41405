import Foundation

#if canImport(Glibc)
    import Glibc
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
    private let noSignal = Int32(MSG_NOSIGNAL)
#else
    import Darwin
    private let streamSocket = SOCK_STREAM
    private let noSignal: Int32 = 0
#endif

/// A TCP connection to a server, whose calls never block beyond their timeout.
final class TCPConnection: @unchecked Sendable {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects.
    ///
    /// - Throws: ``OutputError/noServer(backend:reason:)``.
    init(host: String, port: Int, backend: String, timeout: Double) throws(OutputError) {
        var hints = addrinfo()
        hints.ai_socktype = streamSocket
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0 else {
            throw .noServer(backend: backend, reason: "\(host) is not known: \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(found) }
        var reason = "it has no address"
        var next = found
        while let address = next?.pointee {
            let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            if descriptor >= 0 {
                let problem = TCPConnection.connect(descriptor, address, timeout: timeout)
                guard let problem else {
                    self.descriptor = descriptor
                    return
                }
                reason = problem
                close(descriptor)
            }
            next = address.ai_next
        }
        throw .noServer(backend: backend, reason: "\(host), port \(port): \(reason)")
    }

    deinit { close(descriptor) }

    /// Connects a socket; returns an error message, or `nil` on success.
    private static func connect(_ descriptor: Int32, _ address: addrinfo, timeout: Double) -> String? {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
            var one: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        if Foundation.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return String(cString: strerror(errno)) }
        guard isReady(descriptor, Int16(POLLOUT), within: timeout) else { return "it does not answer" }
        var problem: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
        return problem == 0 ? nil : String(cString: strerror(problem))
    }

    private static func isReady(_ descriptor: Int32, _ events: Int16, within seconds: Double) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            var request = pollfd(fd: descriptor, events: events, revents: 0)
            let milliseconds = Int32(max(0, min(deadline.timeIntervalSinceNow * 1000, 1e6)))
            let count = poll(&request, 1, milliseconds)
            if count > 0 { return true }
            if count == 0 || errno != EINTR { return false }
        }
    }

    /// Limits the number of bytes queued in the system's send buffer.
    func limitQueue(bytes: Int) {
        var size = Int32(bytes)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether the server has closed the connection. Data it has sent is discarded.
    var isClosedByServer: Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR }
        }
    }

    /// Sends bytes; returns whether all were accepted in time.
    func send(_ bytes: UnsafeRawBufferPointer, timeout: Double) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var sent = 0
        while sent < bytes.count {
            let count = Foundation.send(descriptor, base + sent, bytes.count - sent, noSignal)
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                guard TCPConnection.isReady(descriptor, Int16(POLLOUT), within: timeout) else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Receives up to the next line end, within a timeout and a length limit; `nil` if none arrives.
    func receiveLine(timeout: Double, limit: Int) -> [UInt8]? {
        let deadline = Date(timeIntervalSinceNow: timeout)
        var searched = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(end + 1) }
                return Array(received[..<end])
            }
            searched = received.count
            let left = deadline.timeIntervalSinceNow
            guard searched < limit, left > 0, TCPConnection.isReady(descriptor, Int16(POLLIN), within: left) else {
                return nil
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                received += buffer[..<count]
            } else if count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
                return nil
            }
        }
    }

    /// Shuts down the sending side.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }
}
