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

extension PlaylistItemDocument: KeyedDocument {
    static var standard: PlaylistItemDocument { PlaylistItemDocument(id: "", file: "") }

    static let keys: [DocumentKey<PlaylistItemDocument>] = [
        .required("id", \.id, .words, "what scripts call it"), .required("file", \.file, .words, "or an address"),
        .optional("title", \.title, .text, "that of the file, or its name"),
        .standard("start", \.start, .frame(), "of the file", as: .missing),
        .optional("end", \.end, .frame(), "after the last one of the file; `null` is its end", as: .missing),
        .standard("gain", \.gain, .gain, as: .missing),
    ]

    func check(_ reader: ObjectReader) throws(SessionError) {
        if let end, end < start { throw reader.error("end", expected: "a frame of at least \"start\"") }
    }

    /// The item as JSON.
    package var json: JSONValue { .object(values) }
}
