import BarlineEngine

/// A stem of a session: a file that is streamed, started together with all others.
public struct StemDocument: Hashable, Sendable {
    /// The identifier that scripts use.
    public var id: String
    /// The name that is shown.
    public var name: String
    /// The audio file, relative to the session's folder.
    public var file: String
    /// The fader in dB.
    public var gain = 0.0
    /// The balance, −1 … 1.
    public var pan = 0.0
    /// Whether it is muted.
    public var mute = false
    /// Whether it is soloed.
    public var solo = false
    /// The source's frame that sounds at position 0; below 0 the stem begins so much later.
    public var offset: Int64 = 0
    /// The output pair it goes to.
    public var output = TrackDocument.mainOutput
    /// Whether it follows the tempo; all stems of a session do, or none.
    public var playback = Playback.original
    /// The tempo at which it was recorded, needed where it follows the session's.
    public var bpm: Double?
    /// Its colour, like `#d97706`.
    public var color: String?
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// A stem that plays a whole file at its own rate.
    public init(id: String, name: String, file: String) {
        self.id = id
        self.name = name
        self.file = file
    }
}

/// A named place on the stems' timeline.
public struct MarkerDocument: Hashable, Sendable {
    /// The name that scripts use.
    public var name: String
    /// The place, in seconds.
    public var position: Double
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// A marker.
    public init(name: String, position: Double) {
        self.name = name
        self.position = position
    }
}

extension StemDocument {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        id = try reader.requiredString("id")
        name = try reader.string("name") ?? id
        file = try reader.requiredString("file")
        gain = try reader.gain("gain")
        pan = try reader.number("pan", "a number from -1 to 1") { (-1...1).contains($0) } ?? 0
        mute = try reader.bool("mute", default: false)
        solo = try reader.bool("solo", default: false)
        offset = Int64(try reader.integer("offset", atLeast: -StemDocument.largestDelay) ?? 0)
        output = try reader.string("output") ?? TrackDocument.mainOutput
        playback = try reader.playback(default: .original)
        bpm = try reader.tempo("bpm")
        color = try reader.string("color")
        if playback == .repitch, bpm == nil {
            throw reader.error("bpm", expected: "a tempo in BPM, which a stem that follows the session's must have")
        }
        rest = reader.rest
    }

    private static let largestDelay = 1 << 48

    var json: JSONValue {
        var values = rest
        values["id"] = .string(id)
        values["name"] = .string(name)
        values["file"] = .string(file)
        values["gain"] = .gain(gain)
        values["pan"] = .number(pan)
        values["mute"] = .bool(mute)
        values["solo"] = .bool(solo)
        values["offset"] = .number(Double(offset))
        values["output"] = .string(output)
        values["playback"] = .string(playback.rawValue)
        values["bpm"] = bpm.map(JSONValue.number) ?? .null
        if let color { values["color"] = .string(color) }
        return .object(values)
    }
}

extension MarkerDocument {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        name = try reader.requiredString("name")
        guard let position = try reader.number("position", "seconds of at least 0", where: { $0 >= 0 }) else {
            throw reader.error("position", expected: "seconds of at least 0")
        }
        self.position = position
        rest = reader.rest
    }

    var json: JSONValue {
        var values = rest
        values["name"] = .string(name)
        values["position"] = .number(position)
        return .object(values)
    }
}
