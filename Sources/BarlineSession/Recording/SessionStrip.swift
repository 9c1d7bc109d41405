import BarlineEngine

/// A strip of a session that a recording or a render writes to a file of its own.
struct SessionStrip: Hashable, Sendable {
    /// What the file is called, without `.wav`.
    let name: String
    /// Where it is in the engine.
    let strip: RecordedStrip
    /// Whether there is a file only where something sounds.
    let isOptional: Bool
}

/// The strips of a recording under way.
struct RecordedStrips: Sendable {
    let strips: [SessionStrip]
    let recording: StripRecording

    /// The largest latency of the inputs, in frames.
    var lateness: Int64 { strips.indices.map(recording.latency(of:)).max() ?? 0 }
}
