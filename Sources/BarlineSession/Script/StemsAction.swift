/// What can be asked of the stems.
public enum StemsAction: Hashable, Sendable {
    /// Plays from where they stand.
    case play
    /// Pauses where they are.
    case pause
    /// Pauses and goes back to the beginning.
    case stop
    /// Goes to a position in seconds; with `snap` to the nearest bar line, on one. `isBarLine` says that a bar line is
    /// there, wherever the stems' grid has its own.
    case seek(Double, snap: Bool = false, isBarLine: Bool = false)
    /// Goes to a marker, or with `snap` to the bar line that is nearest to it.
    case seekMarker(String, snap: Bool = false)
    /// Plays a region over and over; in seconds. With `snap` it is whole bars.
    case loop(start: Double, end: Double, snap: Bool = false)
    /// Plays on beyond the loop's end.
    case endLoop
    /// Moves the fader of all stems; in dB.
    case gain(Double)
}

extension StemsAction {
    init(_ reader: inout ObjectReader) throws(SessionError) {
        switch try reader.string("action") {
        case "play": self = .play
        case "pause": self = .pause
        case "stop": self = .stop
        case "seek":
            let snap = try reader.bool("snap", default: false)
            if let marker = try reader.string("marker") {
                self = .seekMarker(marker, snap: snap)
                return
            }
            let isBarLine = try reader.bool("isBarLine", default: false)
            self = .seek(try StemsAction.seconds("position", &reader), snap: snap, isBarLine: isBarLine)
        case "loop":
            if try !reader.bool("on", default: true) {
                self = .endLoop
                return
            }
            let start = try StemsAction.seconds("start", &reader)
            let end = try StemsAction.seconds("end", &reader)
            guard end - start >= StemsAction.shortestLoop else {
                throw reader.error("end", expected: "seconds of at least \(StemsAction.shortestLoop) after \"start\"")
            }
            self = .loop(start: start, end: end, snap: try reader.bool("snap", default: false))
        case "gain":
            guard reader.has("db") else { throw reader.error("db", expected: "a gain in dB, or null for silence") }
            self = .gain(try reader.gain("db"))
        default:
            throw reader.error("action", expected: "\"play\", \"pause\", \"stop\", \"seek\", \"loop\" or \"gain\"")
        }
    }

    private static let shortestLoop = 0.05

    private static func seconds(_ key: String, _ reader: inout ObjectReader) throws(SessionError) -> Double {
        let expected = "seconds of at least 0"
        guard let seconds = try reader.number(key, expected, where: { $0 >= 0 && $0 <= 1e7 }) else {
            throw reader.error(key, expected: expected)
        }
        return seconds
    }

    var json: [String: JSONValue] {
        var values: [String: JSONValue] = ["do": "stems"]
        switch self {
        case .play: values["action"] = "play"
        case .pause: values["action"] = "pause"
        case .stop: values["action"] = "stop"
        case .seek(let position, let snap, let isBarLine):
            values.merge(["action": "seek", "position": .number(position)]) { $1 }
            if snap { values["snap"] = true }
            if isBarLine { values["isBarLine"] = true }
        case .seekMarker(let marker, let snap):
            values.merge(["action": "seek", "marker": .string(marker)]) { $1 }
            if snap { values["snap"] = true }
        case .loop(let start, let end, let snap):
            values.merge(["action": "loop", "start": .number(start), "end": .number(end)]) { $1 }
            if snap { values["snap"] = true }
        case .endLoop: values.merge(["action": "loop", "on": false]) { $1 }
        case .gain(let db): values.merge(["action": "gain", "db": .gain(db)]) { $1 }
        }
        return values
    }
}
