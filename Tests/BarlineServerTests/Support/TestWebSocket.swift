import BarlineSession
import Foundation

/// A WebSocket client written by hand.
final class TestWebSocket {
    /// What came.
    enum Message {
        case text(String)
        case binary([UInt8])
        case ping
        case pong([UInt8])
        case close(Int)
    }

    let socket: TestSocket
    /// The status of the answer to the handshake.
    let status: Int

    convenience init(
        port: Int, path: String = "/api/socket", headers: [String: String] = [:], host: String? = nil,
        receiveBuffer: Int32 = 0
    ) throws {
        try self.init(
            TestSocket(port: port, receiveBuffer: receiveBuffer), port: port, path: path, headers: headers, host: host)
    }

    /// A WebSocket over a connection that there is.
    init(
        _ socket: TestSocket, port: Int, path: String = "/api/socket", headers: [String: String] = [:],
        host: String? = nil
    ) throws {
        self.socket = socket
        let handshake = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        let answer = try socket.request(
            "GET", path, headers: handshake.merging(headers) { $1 }, host: host, port: port)
        status = answer.status
    }

    /// A frame as RFC 6455 has it.
    func sendFrame(
        _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0, isMasked: Bool = true,
        announced: UInt64? = nil
    ) {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let mask: UInt8 = isMasked ? 0x80 : 0
        let length = announced ?? UInt64(payload.count)
        if length < 126 {
            bytes.append(mask | UInt8(length))
        } else if length < 65_536 {
            bytes += [mask | 126, UInt8(length >> 8), UInt8(length & 255)]
        } else {
            bytes.append(mask | 127)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
        }
        let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        if isMasked { bytes += key }
        bytes += payload.enumerated().map { isMasked ? $1 ^ key[$0 % 4] : $1 }
        socket.send(bytes)
    }

    func send(_ text: String) { sendFrame(1, Array(text.utf8)) }

    func next(within seconds: Double = 60) throws -> Message {
        let head = try socket.read(2, within: seconds)
        var length = UInt64(head[1] & 127)
        if length > 125 { length = try socket.read(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | UInt64($1) } }
        let payload = try socket.read(Int(length))
        switch head[0] & 15 {
        case 1: return .text(String(decoding: payload, as: UTF8.self))
        case 2: return .binary(payload)
        case 8: return .close(payload.count < 2 ? 1005 : Int(payload[0]) << 8 | Int(payload[1]))
        case 9:
            sendFrame(10, payload)
            return .ping
        default: return .pong(payload)
        }
    }

    /// The next JSON of a type.
    func json(_ type: String, within seconds: Double = 60, where isWanted: (JSONValue) -> Bool = { _ in true }) throws
        -> JSONValue
    {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while deadline.timeIntervalSinceNow > 0 {
            guard case .text(let text) = try next(within: seconds) else { continue }
            let value = try JSONValue(parsing: Data(text.utf8))
            if value["type"] == .string(type), isWanted(value) { return value }
        }
        throw TestSocket.Failure.silent
    }

    /// The next binary frame.
    func binary(within seconds: Double = 60) throws -> [UInt8] {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while deadline.timeIntervalSinceNow > 0 {
            if case .binary(let bytes) = try next(within: seconds) { return bytes }
        }
        throw TestSocket.Failure.silent
    }

    /// The code with which the server closes; `nil` where it closes without.
    func closeCode(within seconds: Double = 60) -> Int? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while deadline.timeIntervalSinceNow > 0 {
            guard let message = try? next(within: seconds) else { return nil }
            if case .close(let code) = message { return code }
        }
        return nil
    }
}

extension [UInt8] {
    func integer<Value: FixedWidthInteger>(_ offset: Int, as type: Value.Type) -> Value {
        (0..<MemoryLayout<Value>.size).reduce(0) { $0 | Value(truncatingIfNeeded: self[offset + $1]) << (8 * $1) }
    }

    func double(_ offset: Int) -> Double { Double(bitPattern: integer(offset, as: UInt64.self)) }

    func float(_ offset: Int) -> Float { Float(bitPattern: integer(offset, as: UInt32.self)) }
}
