import BarlineTime

/// The count-in: the bars before the grid's origin, or before a later entry of a source.
struct CountIn: BitwiseCopyable, Sendable {
    /// The beat at which it begins.
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
