import BarlineHost
import BarlineSession

/// Control over UDP, as it is turned on and off.
protocol OSCSwitch: Sendable {
    /// Where it listens.
    var host: String { get }
    /// The port that is listened on; `nil` where it is off.
    var port: Int? { get }
    /// Listens on another port, or on none. Never on the event loop, which does the listening.
    func listen(on port: Int?) throws(ServerError)
}

/// What is done about the machine and not about the session: its outputs, its rooms, OSC, links to the page.
final class Machine: Sendable {
    let outputs: (any OutputControl)?
    let osc: (any OSCSwitch)?
    /// Who may do what by OSC.
    let access: OSCAccess
    let links: PageLinks
    private let keysRenewed: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - outputs: changes where the sound goes; `nil` where that can't be changed.
    ///   - osc: control over UDP; `nil` where there is none.
    ///   - access: who may do what by it.
    ///   - links: those to the page.
    ///   - renewed: is called with the generation of keys from which on connections stay open.
    init(
        outputs: (any OutputControl)?, osc: (any OSCSwitch)? = nil, access: OSCAccess = OSCAccess(allowed: []),
        links: PageLinks = PageLinks(AccessKeys(playing: nil, watching: nil)),
        renewed: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.outputs = outputs
        self.osc = osc
        self.access = access
        self.links = links
        keysRenewed = renewed
    }

    /// What the page shows of it.
    var json: (osc: JSONValue, midi: JSONValue) {
        let senders = access.known
        let osc = osc.flatMap { osc in osc.port.map { (osc.host, $0) } }.map { host, port -> JSONValue in
            [
                "host": .string(host), "port": .number(Double(port)),
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
        case .output(let backend, let device):
            let outputs = try known()
            try asked { () throws(OutputRefusal) in try outputs.choose(backend: backend, device: device) }
        case .room(let id, let volume, let isMuted, let stream):
            let outputs = try known()
            try asked { () throws(OutputRefusal) in
                try outputs.change(room: id, volume: volume, isMuted: isMuted, stream: stream)
            }
        case .osc(let port):
            guard let osc else { throw .refused("this program does not listen to OSC") }
            try osc.listen(on: port)
        case .oscAllow(let range, let isAllowed): try access.set(range, isAllowed: isAllowed)
        case .links(let renewed):
            if renewed {
                links.keys.renew()
                keysRenewed(links.keys.generation)
            }
            return links.json
        }
        return .null
    }

    private func asked<Result>(_ body: () throws(OutputRefusal) -> Result) throws(ServerError) -> Result {
        do throws(OutputRefusal) { return try body() } catch { throw .refused(error.description) }
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
            list = try asked { () throws(OutputRefusal) in try outputs.rooms() }
        } catch {
            // That none is there is the wanted outcome.
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
