import BarlineSession

/// The requests about the machine's outputs and rooms.
package final class OutputRequests: ControlService {
    private let outputs: (any OutputControl)?

    /// - Parameter outputs: changes the output; `nil` if it can't be changed.
    package init(_ outputs: (any OutputControl)?) { self.outputs = outputs }

    /// The ports of MIDI controllers; `nil` if there are none.
    package var midiPorts: MIDIPorts? { outputs?.midiPorts }

    /// What beats follow.
    package var clock: ClockSource { outputs?.clock.source ?? .internal }
    /// How the clock that is followed stands; `nil` where none is.
    package var clockState: ClockStatus.State? { outputs?.clock.state }

    /// A request.
    package enum Action: Sendable {
        /// Plays to another output.
        case output(backend: String, device: String?)
        /// Changes a room; what is `nil` stays as it is.
        case room(String, volume: Int?, isMuted: Bool?, stream: String?)
    }

    /// The verbs, in the order in which they are listed.
    package static let verbs: [Verb<Action>] = [
        Verb(
            "output",
            "Plays to another output, from the list of `/api/outputs`, or to `\"snapcast\"` with an address as `device`; "
                + "refused where it can't be opened, and then nothing changes.",
            kind: .output, .required("backend", .short), .optional("device", .short),
            make: Action.output(backend:device:)),
        Verb(
            "room", "Changes a room of the Snapcast server; what is missing stays as it is.", kind: .output,
            .required("room", .short), .optional("volume", .whole(0...100)), .optional("mute", .flag),
            .optional("stream", .short), make: Action.room(_:volume:isMuted:stream:)),
    ]

    /// Performs a request; to be called where waiting is no harm.
    package func perform(_ action: Action) throws(ControlRefusal) -> JSONValue {
        let outputs = try known()
        switch action {
        case .output(let backend, let device): try outputs.choose(backend: backend, device: device)
        case .room(let id, let volume, let isMuted, let stream):
            try outputs.change(room: id, volume: volume, isMuted: isMuted, stream: stream)
        }
        return .null
    }

    private func known() throws(ControlRefusal) -> any OutputControl {
        guard let outputs else { throw ControlRefusal("this program does not change its output") }
        return outputs
    }

    /// The outputs that can be chosen.
    package func choices() throws(ControlRefusal) -> JSONValue {
        let list = try known().choices().map { choice -> JSONValue in
            [
                "backend": .string(choice.backend), "device": choice.device.map(JSONValue.string) ?? .null,
                "name": .string(choice.name),
                "sampleRate": .number(choice.sampleRate), "latency": .number(choice.latency),
                "isDefault": .bool(choice.isDefault), "isUsed": .bool(choice.isUsed),
            ]
        }
        return ["outputs": .array(list)]
    }

    /// The rooms of the Snapcast server, and what can be played in them; without a server a list of none, and why.
    package func rooms() throws(ControlRefusal) -> JSONValue {
        let list: RoomList
        let outputs = try known()
        do throws(ControlRefusal) {
            list = try outputs.rooms()
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

extension ValueType where Value == String {
    /// A text that is passed on.
    fileprivate static var short: ValueType { text(atMost: 1_000) }
}
