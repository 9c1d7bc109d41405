import BarlineSession
import NIOPosix
import Synchronization

/// What is done about the machine and not about the session: its outputs, its rooms, OSC.
final class Machine: Sendable {
    let outputs: (any OutputControl)?
    private let host: String
    /// Who may do what by OSC.
    let access: OSCAccess
    let links: PageLinks
    private let hub: SocketHub
    private let group: MultiThreadedEventLoopGroup
    private let server = Mutex<OSCServer?>(nil)

    init(
        outputs: (any OutputControl)?, host: String, access: OSCAccess, links: PageLinks, hub: SocketHub,
        group: MultiThreadedEventLoopGroup
    ) {
        self.outputs = outputs
        self.host = host
        self.access = access
        self.links = links
        self.hub = hub
        self.group = group
    }

    /// Control over UDP; `nil` where it is off.
    var osc: OSCServer? { server.withLock { $0 } }

    /// Listens on another port, or on none. Never on the event loop, which does the listening.
    func listen(on port: Int?) throws(ServerError) {
        try server.withLock { server throws(ServerError) in
            if let port, server?.port == port { return }
            let next = try port.map { port throws(ServerError) in
                try OSCServer(host: host, port: port, access: access, hub: hub, group: group)
            }
            server?.close()
            server = next
        }
    }

    func close() {
        server.withLock { server in
            server?.close()
            server = nil
        }
    }

    /// What the page shows of it.
    var json: (osc: JSONValue, midi: JSONValue) {
        let senders = access.known
        let osc = osc.map { osc -> JSONValue in
            [
                "host": .string(host), "port": .number(Double(osc.port)),
                "allowed": .array(senders.allowed.map { .string("\($0)") }),
                "refused": .array(senders.refused.map { .string("\($0)") }),
            ]
        }
        let midi = outputs?.midiPorts.map { ["input": .string($0.input), "output": .string($0.output)] as JSONValue }
        return (osc ?? .null, midi ?? .null)
    }

    // MARK: Actions

    /// Something that is asked of the machine.
    enum Action: Sendable {
        case output(backend: String, device: String?)
        case room(String, volume: Int?, isMuted: Bool?, stream: String?)
        case osc(port: Int?)
        case oscAllow(AddressRange, isAllowed: Bool)
        case links(renewed: Bool)
    }

    /// Does it; to be called where waiting is no harm. Returns what there is to know of it, or nothing.
    func perform(_ action: Action) throws(ServerError) -> JSONValue {
        switch action {
        case .output(let backend, let device): try known().choose(backend: backend, device: device)
        case .room(let id, let volume, let isMuted, let stream):
            try known().change(room: id, volume: volume, isMuted: isMuted, stream: stream)
        case .osc(let port): try listen(on: port)
        case .oscAllow(let range, let isAllowed): try access.set(range, isAllowed: isAllowed)
        case .links(let renewed):
            if renewed {
                links.keys.renew()
                let (hub, generation) = (hub, links.keys.generation)
                // Whoever asked reads the answer first.
                hub.loop.scheduleTask(in: .seconds(1)) { hub.close(before: generation) }
            }
            return links.json
        }
        return .null
    }

    private func known() throws(ServerError) -> any OutputControl {
        guard let outputs else { throw .refused("this program does not change its output") }
        return outputs
    }

    func choices() throws(ServerError) -> JSONValue {
        let list = try known().choices().map { choice -> JSONValue in
            [
                "backend": .string(choice.backend), "device": .text(choice.device), "name": .string(choice.name),
                "sampleRate": .number(choice.sampleRate), "latency": .number(choice.latency),
                "isDefault": .bool(choice.isDefault), "isUsed": .bool(choice.isUsed),
            ]
        }
        return ["outputs": .array(list)]
    }

    func rooms() throws(ServerError) -> JSONValue {
        let list: RoomList
        let outputs = try known()
        do throws(ServerError) {
            list = try outputs.rooms()
        } catch {
            // That there is none is what was asked.
            return [
                "server": .null, "rooms": .array([]), "streams": .array([]), "problem": .string("\(error)"),
                "message": .string(error.words),
            ]
        }
        let rooms = list.rooms.map { room -> JSONValue in
            [
                "id": .string(room.id), "name": .string(room.name), "isConnected": .bool(room.isConnected),
                "volume": .number(Double(room.volume)), "isMuted": .bool(room.isMuted), "group": .string(room.group),
                "stream": .string(room.stream),
            ]
        }
        let streams = list.streams.sorted { $0.key < $1.key }
            .map { ["id": .string($0.key), "isPlaying": .bool($0.value)] as JSONValue }
        return [
            "server": .string(list.server), "rooms": .array(rooms), "streams": .array(streams), "problem": .null,
            "message": .null,
        ]
    }
}
