/// A client of a Snapcast server: a room.
package struct SnapcastRoom: Hashable, Sendable {
    /// The client's identifier.
    package let id: String
    /// Its name; without one, that of its machine.
    package let name: String
    /// Whether it is connected.
    package let isConnected: Bool
    /// Its volume, 0 … 100.
    package let volume: Int
    /// Whether it is muted, by itself or with its group.
    package let isMuted: Bool
    /// The latency that it adds to the server's, in seconds.
    package let latency: Double
    /// The identifier of its group.
    package let group: String
    /// The identifier of the stream that its group plays.
    package let stream: String
}

/// A stream that a Snapcast server can play.
package struct SnapcastStream: Hashable, Sendable {
    /// The stream's identifier.
    package let id: String
    /// Whether it carries audio.
    package let isPlaying: Bool
}

/// The server's response to `Server.GetStatus`.
struct SnapcastStatus: Decodable {
    /// A client's volume.
    struct Volume: Codable {
        var percent: Int
        var muted: Bool
    }

    /// A client of the server.
    struct Client: Decodable {
        struct Config: Decodable {
            let name: String?
            let latency: Double?
            let volume: Volume
        }
        struct Host: Decodable {
            let name: String?
        }
        let id: String
        let connected: Bool
        let config: Config
        let host: Host?
    }

    /// A group of clients that play one stream.
    struct Group: Decodable {
        let id: String
        let muted: Bool
        let streamId: String
        let clients: [Client]
    }

    /// A stream that groups can play.
    struct Stream: Decodable {
        let id: String
        let status: String?
    }

    /// The server, with its groups and streams.
    struct Server: Decodable {
        let groups: [Group]
        let streams: [Stream]
    }

    let server: Server

    var rooms: [SnapcastRoom] {
        server.groups.flatMap { group in
            group.clients.map { client in
                let names = [client.config.name, client.host?.name].compactMap { $0 }.filter { !$0.isEmpty }
                return SnapcastRoom(
                    id: client.id, name: names.first ?? client.id, isConnected: client.connected,
                    volume: client.config.volume.percent, isMuted: client.config.volume.muted || group.muted,
                    latency: (client.config.latency ?? 0) / 1000, group: group.id, stream: group.streamId)
            }
        }
    }
}
