/// A layer of a loop, as stored in a session file: the state of the loop before an overdub, or after one that was
/// undone.
public struct LayerDocument: Hashable, Sendable {
    /// The audio file, relative to the session's folder.
    public var file: String
    /// The first frame that is played.
    public var start = 0
    /// The frame after the last one; `nil` for the end of the file.
    public var end: Int?
    /// Its length in quarter notes.
    public var beats: Double?
    /// The frame that is aligned with the launch boundary; `nil` for the first one.
    public var firstBeat: Int?
    /// The input latency that it was corrected by; `nil` if unknown, or if it has several.
    public var latency: ClipLatency?
    /// How it was made of the layer below; `nil` if it is the lowest one, or that is not known.
    package var pass: LayerPass?
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a layer that is a whole file.
    public init(file: String) { self.file = file }
}

extension LayerDocument: KeyedDocument {
    static var standard: LayerDocument { LayerDocument(file: "") }

    static let keys: [DocumentKey<LayerDocument>] = [
        .required("file", \.file, .words),
        .optional("beats", \.beats, .beats, "its length"),
        .optional("firstBeat", \.firstBeat, .frame(), "that falls on the boundary of a launch; `null`: `start`"),
        .standard("start", \.start, .frame(), "of the source"),
        .optional(
            "end", \.end, .frame(atLeast: 1), "after the last one of the source; `null` is its end",
            given: { .frame(atLeast: $0.start + 1) }),
        .optional(
            "latency", \.latency, .recordedLatency,
            "what was taken off when it was recorded; `correction` of it was measured: [Latency](#latency)",
            as: .missing),
        .optional("pass", \.pass, .layerPass, LayerDocument.passWords, as: .missing),
    ]

    /// What the key `pass` says.
    static let passWords = "how it was made of the layer below: [Latency](#latency)"
}

extension ClipDocument {
    /// What the clip plays, as a layer.
    var layer: LayerDocument {
        var layer = LayerDocument(file: file)
        (layer.start, layer.end, layer.beats, layer.firstBeat) = (start, end, beats, firstBeat)
        (layer.latency, layer.pass) = (latency, pass)
        return layer
    }

    /// The same clip with another layer.
    func with(_ layer: LayerDocument) -> ClipDocument {
        var clip = self
        clip.file = layer.file
        (clip.start, clip.end, clip.beats, clip.firstBeat) = (layer.start, layer.end, layer.beats, layer.firstBeat)
        (clip.latency, clip.pass) = (layer.latency, layer.pass)
        // What was known of the frames of another file.
        clip.onsets = nil
        return clip
    }

    /// Another layer is recorded over it.
    mutating func add(_ layer: LayerDocument) {
        let before = self.layer
        self = with(layer)
        layers.append(before)
        undoneLayers = []
    }

    /// Goes back to the layer below.
    ///
    /// - Returns: whether there is one.
    mutating func undoLayer() -> Bool {
        guard let below = layers.popLast() else { return false }
        undoneLayers.append(layer)
        self = with(below)
        return true
    }

    /// Goes on to the layer that was undone last.
    ///
    /// - Returns: whether there is one.
    mutating func redoLayer() -> Bool {
        guard let above = undoneLayers.popLast() else { return false }
        layers.append(layer)
        self = with(above)
        return true
    }

    /// Whether another one differs in its name, colour and place at most.
    func soundsLike(_ other: ClipDocument) -> Bool {
        var same = other
        (same.name, same.color, same.slot) = (name, color, slot)
        return same == self
    }

    /// All files that it names.
    var files: [String] {
        let all = layers + undoneLayers + [layer]
        return [file] + (layers + undoneLayers).map(\.file) + all.compactMap(\.pass?.played?.file)
    }
}
