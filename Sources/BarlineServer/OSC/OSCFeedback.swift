import BarlineSession

/// The messages of events for subscribers.
enum OSCFeedback {
    /// The messages of an event.
    static func messages(_ event: JSONValue) -> [OSCMessage] {
        guard case .object(let values) = event, case .string(let kind)? = values["event"] else { return [] }
        func number(_ key: String) -> Double { if case .number(let value)? = values[key] { value } else { 0 } }
        func text(_ key: String) -> String { if case .string(let value)? = values[key] { value } else { "" } }
        switch kind {
        case "clipStarted": return [clip(text("clip"), "playing")]
        case "clipStopped": return [clip(text("clip"), "stopped")]
        case "tempoChanged": return [OSCMessage(address: "/barline/tempo", arguments: [.number(number("bpm"))])]
        case "beat":
            let place: [OSCArgument] = [.integer(Int64(number("bar"))), .integer(Int64(number("beat")))]
            return [OSCMessage(address: "/barline/beat", arguments: place + [.bool(values["accent"] == true)])]
        case "transportStarted": return [transport("play")]
        case "transportStopped": return [transport("stop")]
        case "timeSignatureChanged":
            return [OSCMessage(address: "/barline/timeSignature", arguments: [.text(text("value"))])]
        case "stemsStarted": return [stems("play", number("position"))]
        case "stemsPaused": return [stems("pause", number("position"))]
        case "stemsEnded": return [stems("end", 0)]
        default: return SessionParts.addressed.compactMap { $0.message(of: values) }
        }
    }

    /// The messages of what has changed in the session's mixer since it was `old`, or of all of it.
    static func messages(from old: SessionDocument? = nil, to new: SessionDocument) -> [OSCMessage] {
        var messages: [OSCMessage] = []
        if new.masterGain != old?.masterGain {
            messages.append(OSCMessage(address: "/barline/gain", arguments: [.number(new.masterGain)]))
        }
        let before = Dictionary((old?.tracks ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for track in new.tracks {
            let place = "/barline/track/\(track.id)/"
            let former = before[track.id]
            if track.gain != former?.gain {
                messages.append(OSCMessage(address: place + "gain", arguments: [.number(track.gain)]))
            }
            if track.pan != former?.pan {
                messages.append(OSCMessage(address: place + "pan", arguments: [.number(track.pan)]))
            }
            if track.mute != former?.mute {
                messages.append(OSCMessage(address: place + "mute", arguments: [.bool(track.mute)]))
            }
            if track.solo != former?.solo {
                messages.append(OSCMessage(address: place + "solo", arguments: [.bool(track.solo)]))
            }
        }
        return messages
    }

    private static func clip(_ id: String, _ state: String) -> OSCMessage {
        OSCMessage(address: "/barline/clip", arguments: [.text(id), .text(state)])
    }

    private static func transport(_ action: String) -> OSCMessage {
        OSCMessage(address: "/barline/transport", arguments: [.text(action)])
    }

    private static func stems(_ action: String, _ position: Double) -> OSCMessage {
        OSCMessage(address: "/barline/stems", arguments: [.text(action), .number(position)])
    }
}
