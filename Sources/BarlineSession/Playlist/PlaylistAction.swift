import BarlineEngine

/// What can be asked of the playlist.
public enum PlaylistAction: Hashable, Sendable {
    /// Plays from where it stands.
    case play
    /// Plays an item from its beginning.
    case playIndex(Int)
    /// Pauses where it is.
    case pause
    /// Stops, at the current item's beginning.
    case stop
    /// Goes on to the next item.
    case next
    /// Goes back to the item before.
    case previous
    /// Goes to a position of the current item, in seconds.
    case seek(Double)
    /// Puts an item into the list; without an identifier it gets one.
    case insert(index: Int, file: String, id: String?, title: String?)
    /// Takes an item out.
    case remove(Int)
    /// Moves an item.
    case move(from: Int, to: Int)
    /// Puts another item in the place of one.
    case replace(index: Int, file: String, id: String?, title: String?)
    /// Empties the list.
    case clear
    /// What comes again.
    case `repeat`(PlaylistModes.Repeat)
    /// Whether items come in random order, which follows from the seed.
    case shuffle(Bool, seed: UInt64?)
    /// Whether playing ends after each item.
    case single(Bool)
    /// Whether items leave the list when they have been played.
    case consume(Bool)
    /// Whether playing ends after the item that plays.
    case stopAfterCurrent(Bool)
    /// The length of crossfades in seconds.
    case crossfade(Double)
    /// Moves the playlist's fader; in dB.
    case gain(Double)
}

extension PlaylistAction {
    init(_ reader: inout ObjectReader) throws(SessionError) {
        switch try reader.string("action") {
        case "play":
            self = reader.has("index") ? .playIndex(try PlaylistAction.place("index", &reader)) : .play
        case "pause": self = .pause
        case "resume": self = .play
        case "stop": self = .stop
        case "next": self = .next
        case "previous": self = .previous
        case "seek":
            let expected = "seconds of at least 0"
            guard let seconds = try reader.number("position", expected, where: { $0 >= 0 && $0 <= 1e7 }) else {
                throw reader.error("position", expected: expected)
            }
            self = .seek(seconds)
        case "insert":
            self = .insert(
                index: try PlaylistAction.place("index", &reader), file: try reader.requiredString("file"),
                id: try reader.string("id"), title: try reader.string("title"))
        case "remove": self = .remove(try PlaylistAction.place("index", &reader))
        case "move":
            self = .move(from: try PlaylistAction.place("from", &reader), to: try PlaylistAction.place("to", &reader))
        case "replace":
            self = .replace(
                index: try PlaylistAction.place("index", &reader), file: try reader.requiredString("file"),
                id: try reader.string("id"), title: try reader.string("title"))
        case "clear": self = .clear
        case "repeat": self = .repeat(try reader.word("value", default: .all))
        case "shuffle":
            let seed = try reader.integer("seed", atLeast: 0).map { UInt64($0) }
            self = .shuffle(try reader.bool("on", default: true), seed: seed)
        case "single": self = .single(try reader.bool("on", default: true))
        case "consume": self = .consume(try reader.bool("on", default: true))
        case "stopAfterCurrent": self = .stopAfterCurrent(try reader.bool("on", default: true))
        case "crossfade":
            let expected = "seconds from 0 to \(Int(PlaylistAction.longestCrossfade))"
            let range = 0...PlaylistAction.longestCrossfade
            guard let seconds = try reader.number("seconds", expected, where: { range.contains($0) }) else {
                throw reader.error("seconds", expected: expected)
            }
            self = .crossfade(seconds)
        case "gain":
            guard reader.has("db") else { throw reader.error("db", expected: "a gain in dB, or null for silence") }
            self = .gain(try reader.gain("db"))
        default:
            throw reader.error(
                "action",
                expected: "\"play\", \"pause\", \"resume\", \"stop\", \"next\", \"previous\", \"seek\", \"insert\","
                    + " \"remove\", \"move\", \"replace\", \"clear\", \"repeat\", \"shuffle\", \"single\", \"consume\","
                    + " \"stopAfterCurrent\", \"crossfade\" or \"gain\"")
        }
    }

    /// The longest crossfade, in seconds.
    public static let longestCrossfade = 15.0

    private static func place(_ key: String, _ reader: inout ObjectReader) throws(SessionError) -> Int {
        guard let place = try reader.integer(key, atLeast: 0) else {
            throw reader.error(key, expected: "a place in the list, from 0")
        }
        return place
    }

    var json: [String: JSONValue] {
        var values: [String: JSONValue] = ["do": "playlist"]
        func set(_ action: String, _ more: [String: JSONValue] = [:]) {
            values["action"] = .string(action)
            values.merge(more) { $1 }
        }
        func number(_ value: Int) -> JSONValue { .number(Double(value)) }
        func item(_ index: Int, _ file: String, _ id: String?, _ title: String?) -> [String: JSONValue] {
            var item: [String: JSONValue] = ["index": number(index), "file": .string(file)]
            if let id { item["id"] = .string(id) }
            if let title { item["title"] = .string(title) }
            return item
        }
        switch self {
        case .play: set("play")
        case .playIndex(let index): set("play", ["index": number(index)])
        case .pause: set("pause")
        case .stop: set("stop")
        case .next: set("next")
        case .previous: set("previous")
        case .seek(let seconds): set("seek", ["position": .number(seconds)])
        case .insert(let index, let file, let id, let title): set("insert", item(index, file, id, title))
        case .remove(let index): set("remove", ["index": number(index)])
        case .move(let from, let target): set("move", ["from": number(from), "to": number(target)])
        case .replace(let index, let file, let id, let title): set("replace", item(index, file, id, title))
        case .clear: set("clear")
        case .repeat(let value): set("repeat", ["value": .string(value.rawValue)])
        case .shuffle(let isOn, let seed):
            set("shuffle", seed.map { ["on": .bool(isOn), "seed": .number(Double($0))] } ?? ["on": .bool(isOn)])
        case .single(let isOn): set("single", ["on": .bool(isOn)])
        case .consume(let isOn): set("consume", ["on": .bool(isOn)])
        case .stopAfterCurrent(let isOn): set("stopAfterCurrent", ["on": .bool(isOn)])
        case .crossfade(let seconds): set("crossfade", ["seconds": .number(seconds)])
        case .gain(let db): set("gain", ["db": .gain(db)])
        }
        return values
    }
}
