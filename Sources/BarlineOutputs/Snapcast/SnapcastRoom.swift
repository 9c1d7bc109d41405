/// A client of a Snapcast server: a room.
package struct SnapcastRoom: Hashable, Sendable {
    /// The client's identifier.
    package let id: String
    /// Its name; that of its machine where it has none.
    package let name: String
    /// Whether it is there.
    package let isConnected: Bool
    /// Its volume, 0 … 100.
    package let volume: Int
    /// Whether it is muted, by itself or with its group.
    package let isMuted: Bool
    /// What it adds to the server's latency, in seconds.
    package let latency: Double
    /// The group it is in.
    package let group: String
    /// What the group plays.
    package let stream: String
}

/// Something that a Snapcast server can play.
package struct SnapcastStream: Hashable, Sendable {
    /// The stream's identifier.
    package let id: String
    /// Whether there is sound in it.
    package let isPlaying: Bool
}

/// The server's answer to `Server.GetStatus`.
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
