extension TrackDocument {
    /// The track as JSON, with its clips.
    package var json: JSONValue { .object(values) }
}

extension ClipDocument {
    /// The clip as JSON.
    package var json: JSONValue { .object(values) }
}

extension SceneDocument {
    var json: JSONValue { .object(values) }
}

extension JSONValue {
    static func gain(_ decibels: Double) -> JSONValue { decibels == -.infinity ? .null : .number(decibels) }
}
