import BarlineTime
import Foundation

extension ScriptAction {
    /// Reads an action from its JSON object: `do` and what belongs to it.
    init(_ reader: inout ObjectReader) throws(SessionError) {
        switch try reader.requiredString("do") {
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
            self = .pan(try ScriptAction.strip(&reader), pan)
        case "mute": self = .mute(try ScriptAction.strip(&reader), try ScriptAction.isOn(&reader))
        case "solo": self = .solo(try ScriptAction.strip(&reader), try ScriptAction.isOn(&reader))
        case "stems": self = .stems(try StemsAction(&reader))
        case "transport":
            switch try reader.string("action") {
            case "play": self = .transport(isRolling: true)
            case "stop": self = .transport(isRolling: false)
            default: throw reader.error("action", expected: "\"play\" or \"stop\"")
            }
        case "metronome": self = .metronome(try MetronomeChange(&reader))
        case "tap": self = .tap
        case "startPosition":
            let clip = try reader.requiredString("clip")
            _ = try reader.requiredString("value")
            self = .startPosition(clip: clip, try reader.word("value", default: .fromStart))
        case "playlist": self = .playlist(try PlaylistAction(&reader))
        default: throw reader.error("do", expected: "an action")
        }
    }

    private static func gain(_ reader: inout ObjectReader) throws(SessionError) -> ScriptAction {
        guard reader.has("db") else { throw reader.error("db", expected: "a gain in dB, or null for silence") }
        let db = try reader.gain("db")
        if let track = try reader.string("track") { return .gain(.track(track), db: db) }
        if let clip = try reader.string("clip") { return .gain(.clip(clip), db: db) }
        if let stem = try reader.string("stem") { return .gain(.stem(stem), db: db) }
        return .gain(.master, db: db)
    }

    static func strip(_ reader: inout ObjectReader) throws(SessionError) -> Strip {
        if let stem = try reader.string("stem") { return .stem(stem) }
        return .track(try reader.requiredString("track"))
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
        case .gain(let strip, let db): ScriptAction.json("gain", strip, ["db": .gain(db)])
        case .pan(let strip, let value): ScriptAction.json("pan", strip, ["value": .number(value)])
        case .mute(let strip, let isOn): ScriptAction.json("mute", strip, ["on": .bool(isOn)])
        case .solo(let strip, let isOn): ScriptAction.json("solo", strip, ["on": .bool(isOn)])
        case .stems(let action): action.json
        case .playlist(let action): action.json
        case .metronome(let change): change.json
        case .tap: ["do": "tap"]
        case .startPosition(let clip, let value):
            ["do": "startPosition", "clip": .string(clip), "value": .string(value.rawValue)]
        case .session(let document): ["do": .string(PerformanceScript.sessionWord), "session": document.json]
        case .transport(let isRolling): ["do": "transport", "action": isRolling ? "play" : "stop"]
        }
    }

    private static func json(_ word: String, _ strip: Strip, _ rest: [String: JSONValue]) -> [String: JSONValue] {
        var values = rest
        values["do"] = .string(word)
        switch strip {
        case .master: break
        case .track(let id): values["track"] = .string(id)
        case .clip(let id): values["clip"] = .string(id)
        case .stem(let id): values["stem"] = .string(id)
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
