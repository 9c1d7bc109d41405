import Foundation

/// A client of a Snapcast server's control interface: lists the rooms, and sets what they play and how loud (JSON-RPC
/// 2.0, one message per line).
package final class SnapcastControl {
    private static let timeout = 3.0
    /// The longest answer accepted; that of a server with a thousand rooms is a megabyte.
    private static let longestAnswer = 16 << 20

    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()
    private let connection: TCPConnection
    private let name: String
    private var lastRequest = 0

    /// A request of the JSON-RPC protocol.
    private struct Request<Parameters: Encodable>: Encodable {
        let id: Int
        let jsonrpc = "2.0"
        let method: String
        let params: Parameters?
    }

    /// An answer of the JSON-RPC protocol.
    private struct Answer<Result: Decodable>: Decodable {
        struct Problem: Decodable {
            let code: Int
            let message: String?
            let data: String?
        }
        let id: Int?
        let result: Result?
        let error: Problem?
    }

    /// A result that is ignored.
    private struct Nothing: Codable {}

    /// The arguments of `Client.SetVolume` for a level.
    private struct VolumeChange: Encodable {
        let id: String
        let volume: SnapcastStatus.Volume
    }

    /// The arguments of `Client.SetVolume` for a mute.
    private struct MuteChange: Encodable {
        let id: String
        let mute: Bool
    }

    /// The arguments of `Group.SetStream`.
    private struct StreamChange: Encodable {
        let id: String
        let streamId: String
    }

    /// The arguments of `Group.SetClients`.
    private struct ClientsChange: Encodable {
        let id: String
        let clients: [String]
    }

    /// Connects to a server's control port.
    ///
    /// - Throws: ``OutputError/noServer(backend:reason:)``.
    package init(host: String, port: Int = SnapcastAddress.standardControlPort) throws(OutputError) {
        connection = try TCPConnection(host: host, port: port, backend: "snapcast", timeout: SnapcastControl.timeout)
        name = "\(host), port \(port)"
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
    }

    // MARK: Queries

    /// The rooms, including those that are not connected.
    package func rooms() throws(OutputError) -> [SnapcastRoom] { try status().rooms }

    /// The streams that can be played.
    package func streams() throws(OutputError) -> [SnapcastStream] {
        try status().server.streams.map { SnapcastStream(id: $0.id, isPlaying: $0.status == "playing") }
    }

    private func status() throws(OutputError) -> SnapcastStatus {
        try ask("Server.GetStatus", nil as Nothing?)
    }

    // MARK: Changes

    /// Sets a room's volume, 0 … 100, and whether it is muted; `nil` leaves a value unchanged.
    package func set(_ room: SnapcastRoom, volume: Int? = nil, isMuted: Bool? = nil) throws(OutputError) {
        let status = try status()
        let group = status.server.groups.first { $0.id == room.group }
        guard let before = group?.clients.first(where: { $0.id == room.id })?.config.volume else {
            throw .refused(server: name, reason: "there is no room \"\(room.name)\" any more")
        }
        let after = SnapcastStatus.Volume(percent: volume ?? before.percent, muted: isMuted ?? before.muted)
        let _: Nothing = try ask("Client.SetVolume", VolumeChange(id: room.id, volume: after))
        // A room whose group is muted would stay silent.
        if isMuted == false, group?.muted == true {
            let _: Nothing = try ask("Group.SetMute", MuteChange(id: room.group, mute: false))
        }
    }

    /// Makes the group of a room play another stream.
    package func play(stream: String, in room: SnapcastRoom) throws(OutputError) {
        let _: Nothing = try ask("Group.SetStream", StreamChange(id: room.group, streamId: stream))
    }

    /// Joins rooms into one group: they play the same stream.
    func join(_ rooms: [SnapcastRoom]) throws(OutputError) {
        guard let first = rooms.first else { return }
        let _: Nothing = try ask("Group.SetClients", ClientsChange(id: first.group, clients: rooms.map(\.id)))
    }

    // MARK: Messages

    private func ask<Result: Decodable>(
        _ method: String, _ parameters: (some Encodable)?
    ) throws(OutputError) -> Result {
        lastRequest += 1
        let request = Request(id: lastRequest, method: method, params: parameters)
        guard let data = try? encoder.encode(request) else {
            throw .refused(server: name, reason: "\(method) can't be asked for")
        }
        let line = Array(data) + [0x0D, 0x0A]
        guard line.withUnsafeBytes({ connection.send($0, timeout: SnapcastControl.timeout) }) else {
            throw .noServer(backend: "snapcast", reason: "\(name): the connection is lost")
        }
        let deadline = Date(timeIntervalSinceNow: SnapcastControl.timeout)
        while let text = connection.receiveLine(
            timeout: deadline.timeIntervalSinceNow, limit: SnapcastControl.longestAnswer)
        {
            // Notifications arrive in between, and have no identifier.
            let data = Data(text)
            guard let head = try? decoder.decode(Answer<Nothing>.self, from: data), head.id == lastRequest else {
                continue
            }
            if let problem = head.error {
                let words = [problem.message, problem.data].compactMap { $0 }.joined(separator: ": ")
                throw .refused(server: name, reason: "\(method): \(words)")
            }
            guard let answer = try? decoder.decode(Answer<Result>.self, from: data), let result = answer.result
            else { throw .refused(server: name, reason: "\(method): the answer is not understood") }
            return result
        }
        throw .noServer(backend: "snapcast", reason: "\(name): there is no answer")
    }
}
