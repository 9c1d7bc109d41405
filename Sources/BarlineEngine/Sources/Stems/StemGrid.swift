import BarlineTime

/// The place of stems on the grid of beats and bars: the tempo of their music, and one of its bar lines.
public struct StemGrid: Hashable, Sendable, BitwiseCopyable {
    /// The tempo of the music. Stems that follow the engine's tempo play at their own rate at this one; if they don't
    /// follow it, the engine adopts this tempo when they start.
    public var tempo: Tempo
    /// The position of a bar line, in seconds; it may lie beyond the stems' ends.
    public var barLine: Double

    /// Creates a grid.
    public init(tempo: Tempo, barLine: Double = 0) {
        self.tempo = tempo
        self.barLine = barLine
    }
}

/// The options of a seek of the stems.
struct StemSeek: BitwiseCopyable, Sendable {
    /// Whether the position is that of a bar line, wherever the stems' grid has its own.
    var isBarLine = false
    /// Whether playing stems continue until the transport reaches the same position in a bar.
    var waits = false

    @_noLocks init(isBarLine: Bool = false, waits: Bool = false) {
        self.isBarLine = isBarLine
        self.waits = waits
    }
}
