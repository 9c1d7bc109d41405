import BarlineTime

/// The bars that are counted in before the grid's origin, or, where something comes in after it, up to there.
struct CountIn: BitwiseCopyable, Sendable {
    /// The beat from which on it clicks.
    var start = Beat(rawValue: 0)
    /// The beat at which it ends.
    var end = Beat(rawValue: 0)

    @_noLocks init() {}

    @_noLocks init(start: Beat, end: Beat) {
        self.start = start
        self.end = end
    }

    @_noLocks func contains(_ beat: Beat) -> Bool { beat < end && beat >= start }
}
