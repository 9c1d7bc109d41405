/// An item of a session's playlist. The same file twice is two items.
public struct PlaylistItemDocument: Hashable, Sendable {
    /// The identifier that scripts use.
    public var id: String
    /// The audio file, relative to the session's folder.
    public var file: String
    /// The title that is shown; `nil` for the file's name.
    public var title: String?
    /// The first frame of the file that is played.
    public var start: Int64 = 0
    /// The frame before which playing ends; `nil` for the file's end.
    public var end: Int64?
    /// How much louder it is played, in dB.
    public var gain = 0.0
    /// Keys that this version does not know.
    public var rest: [String: JSONValue] = [:]

    /// An item that plays a whole file.
    public init(id: String, file: String, title: String? = nil) {
        self.id = id
        self.file = file
        self.title = title
    }
}

extension PlaylistItemDocument {
    init(_ source: ObjectReader) throws(SessionError) {
        var reader = source
        id = try reader.requiredString("id")
        file = try reader.requiredString("file")
        title = try reader.string("title")
        start = Int64(try reader.integer("start", atLeast: 0) ?? 0)
        end = try reader.integer("end", atLeast: 0).map(Int64.init)
        if let end, end < start { throw reader.error("end", expected: "a frame of at least \"start\"") }
        gain = try reader.gain("gain")
        rest = reader.rest
    }

    /// The item as JSON.
    package var json: JSONValue {
        var values = rest
        values["id"] = .string(id)
        values["file"] = .string(file)
        values["title"] = title.map(JSONValue.string) ?? .null
        if start > 0 { values["start"] = .number(Double(start)) }
        if let end { values["end"] = .number(Double(end)) }
        if gain != 0 { values["gain"] = .gain(gain) }
        return .object(values)
    }
}
