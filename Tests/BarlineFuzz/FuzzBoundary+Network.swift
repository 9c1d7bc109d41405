import BarlineServer
import Foundation

extension FuzzBoundary {
    /// What comes over TCP: requests, and the frames of a WebSocket.
    static func network(_ stage: FuzzStage) -> [FuzzBoundary] {
        [
            FuzzBoundary(
                "http", limit: 1 << 12,
                words: [
                    "GET / HTTP/1.1\r\n", "POST /api/actions HTTP/1.1\r\n", "Host: 127.0.0.1:PORT\r\n",
                    "Content-Length: ", "Transfer-Encoding: chunked\r\n", "Content-Type: application/json\r\n",
                    "Upgrade: websocket\r\n", "Connection: Upgrade\r\n", "Range: bytes=", "/api/state", "/api/uploads",
                    "/api/waveform", "\r\n\r\n", "Expect: 100-continue\r\n",
                ]
            ) { input in
                try stage.begin()
                let connection = try FuzzConnection(port: stage.server.port)
                connection.send(numbered(input, port: stage.server.port))
                try connection.end()
                stage.play()
            },
            FuzzBoundary("socket", limit: 1 << 12) { input in
                try stage.begin()
                let connection = try FuzzConnection(port: stage.server.port)
                connection.send(Array(upgrade(port: stage.server.port).utf8))
                try connection.readHead()
                connection.send(input)
                try connection.end()
                stage.play()
            },
        ]
    }

    private static func upgrade(port: Int) -> String {
        """
        GET /api/socket HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
        \r

        """
    }

    /// An input in which `:PORT` stands for the server's port, which is another one each time.
    private static func numbered(_ input: [UInt8], port: Int) -> [UInt8] {
        let (mark, number) = (Array(":PORT".utf8), Array(":\(port)".utf8))
        var result: [UInt8] = []
        var index = 0
        while index < input.count {
            if input[index...].starts(with: mark) {
                result += number
                index += mark.count
            } else {
                result.append(input[index])
                index += 1
            }
        }
        return result
    }
}

/// A connection that says whatever it is given.
private final class FuzzConnection {
    private let descriptor: Int32

    /// What a server that works never needs, in milliseconds.
    private static let timeout: Int32 = 20_000

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // Thousands of connections a second would use up the ports.
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        if status != 0 {
            close(descriptor)
            throw BrokenPromise("the server takes no connection: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            sent += count
        }
    }

    /// Reads the answer to an upgrade, whole.
    func readHead() throws {
        var last: [UInt8] = []
        var byte: UInt8 = 0
        while last != Array("\r\n\r\n".utf8) {
            guard try wait(), recv(descriptor, &byte, 1, 0) == 1 else {
                throw BrokenPromise("the server refuses a WebSocket")
            }
            last = last.suffix(3) + [byte]
        }
    }

    /// Says that nothing more comes, and waits until the server has closed the connection.
    func end() throws {
        shutdown(descriptor, Int32(SHUT_WR))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while try wait(), recv(descriptor, &buffer, buffer.count, 0) > 0 {}
    }

    private func wait() throws -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, FuzzConnection.timeout) > 0 else {
            throw BrokenPromise("the server neither answers nor closes the connection")
        }
        return true
    }
}
