import BarlineTime
import Foundation

extension ScriptAction {
    /// Reads an action from its JSON object: `do` and what belongs to it.
    init(_ reader: inout ObjectReader) throws(SessionError) {
        let word = try reader.requiredString("do")
        switch word {
        case "launch": self = .launch(clip: try reader.requiredString("clip"))
        case "release": self = .release(clip: try reader.requiredString("clip"))
        case "launchScene":
            guard let scene = try reader.integer("scene", atLeast: 0) else {
                throw reader.error("scene", expected: "the number of a scene, from 0")
            }
            self = .launchScene(scene)
        case "stop": self = .stop(track: try reader.requiredString("track"))
        case "stopNow": self = .stopNow(track: try reader.requiredString("track"))
        case "stopAll": self = .stopAll
        case "tempo":
            guard let bpm = try reader.tempo("bpm") else {
                throw reader.error("bpm", expected: "a tempo in BPM above 0")
            }
            let ramp = try reader.number("ramp", "a number of beats of at least 0") { $0 >= 0 }
            self = .tempo(bpm: bpm, ramp: ramp ?? 0)
        case "timeSignature":
            guard let value = try reader.timeSignature("value") else {
                throw reader.error("value", expected: "a metre like \"4/4\"")
            }
            self = .timeSignature(value)
        case "quantization":
            guard let value = try reader.quantization("value") else {
                throw reader.error("value", expected: "a quantisation like \"1 bar\"")
            }
            self = .quantization(value)
        case "gain": self = try ScriptAction.gain(&reader)
        case "pan":
            guard let pan = try reader.number("value", "a number from -1 to 1", where: { (-1...1).contains($0) }) else {
                throw reader.error("value", expected: "a number from -1 to 1")
            }
            self = .pan(track: try reader.requiredString("track"), pan)
        case "mute": self = .mute(track: try reader.requiredString("track"), try ScriptAction.isOn(&reader))
        case "solo": self = .solo(track: try reader.requiredString("track"), try ScriptAction.isOn(&reader))
        case "transport":
            switch try reader.string("action") {
            case "play": self = .transport(isRolling: true)
            case "stop": self = .transport(isRolling: false)
            default: throw reader.error("action", expected: "\"play\" or \"stop\"")
            }
        case "metronome", "stems", "playlist":
            throw .unsupported(
                path: reader.file, key: reader.key("do"), what: "\"\(word)\" can't be done by this version")
        default: throw reader.error("do", expected: "an action")
        }
    }

    private static func gain(_ reader: inout ObjectReader) throws(SessionError) -> ScriptAction {
        guard reader.has("db") else { throw reader.error("db", expected: "a gain in dB, or null for silence") }
        let db = try reader.gain("db")
        if let track = try reader.string("track") { return .gain(.track(track), db: db) }
        if let clip = try reader.string("clip") { return .gain(.clip(clip), db: db) }
        return .gain(.master, db: db)
    }

    private static func isOn(_ reader: inout ObjectReader) throws(SessionError) -> Bool {
        guard reader.has("on") else { throw reader.error("on", expected: "true or false") }
        return try reader.bool("on", default: true)
    }

    /// The keys of the action's JSON object.
    var json: [String: JSONValue] {
        switch self {
        case .launch(let clip): ["do": "launch", "clip": .string(clip)]
        case .release(let clip): ["do": "release", "clip": .string(clip)]
        case .launchScene(let scene): ["do": "launchScene", "scene": .number(Double(scene))]
        case .stop(let track): ["do": "stop", "track": .string(track)]
        case .stopNow(let track): ["do": "stopNow", "track": .string(track)]
        case .stopAll: ["do": "stopAll"]
        case .tempo(let bpm, let ramp):
            ramp > 0
                ? ["do": "tempo", "bpm": .number(bpm), "ramp": .number(ramp)] : ["do": "tempo", "bpm": .number(bpm)]
        case .timeSignature(let value): ["do": "timeSignature", "value": .string(value.description)]
        case .quantization(let value): ["do": "quantization", "value": .string(value.description)]
        case .gain(let strip, let db): ScriptAction.gainJSON(strip, db)
        case .pan(let track, let value): ["do": "pan", "track": .string(track), "value": .number(value)]
        case .mute(let track, let isOn): ["do": "mute", "track": .string(track), "on": .bool(isOn)]
        case .solo(let track, let isOn): ["do": "solo", "track": .string(track), "on": .bool(isOn)]
        case .transport(let isRolling): ["do": "transport", "action": isRolling ? "play" : "stop"]
        }
    }

    private static func gainJSON(_ strip: Strip, _ db: Double) -> [String: JSONValue] {
        var values: [String: JSONValue] = ["do": "gain", "db": db.isFinite ? .number(db) : .null]
        switch strip {
        case .master: break
        case .track(let id): values["track"] = .string(id)
        case .clip(let id): values["clip"] = .string(id)
        }
        return values
    }
}

extension ScriptAction {
    /// Reads an action from one line of JSON; `source` is what errors call it. Keys of time are passed over.
    public init(json line: String, source: String) throws(SessionError) {
        switch JSONText.parse(Data(line.utf8)) {
        case .failure: throw .file(path: source, reason: "is not valid JSON: \(line)")
        case .success(let value):
            var reader = try ObjectReader(value, file: source, path: "")
            try self.init(&reader)
        }
    }
}
