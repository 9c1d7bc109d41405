import BarlineTime

/// The place of stems on the grid of beats and bars: the tempo of what they play, and one of its bar lines.
public struct StemGrid: Hashable, Sendable, BitwiseCopyable {
    /// The tempo of the music. Stems that follow the engine's tempo play at their own rate at this one; where they
    /// don't, the engine takes it over when they start.
    public var tempo: Tempo
    /// The position of a bar line, in seconds; it may lie beyond the stems' ends.
    public var barLine: Double

    /// A grid.
    public init(tempo: Tempo, barLine: Double = 0) {
        self.tempo = tempo
        self.barLine = barLine
    }
}

/// The options of a seek of the stems.
struct StemSeek: BitwiseCopyable, Sendable {
    /// Whether a bar line is there, wherever the grid of the stems has its own.
    var isBarLine = false
    /// Whether stems that play go on until the transport is in the same place of a bar.
    var waits = false

    @_noLocks init(isBarLine: Bool = false, waits: Bool = false) {
        self.isBarLine = isBarLine
        self.waits = waits
    }
}
