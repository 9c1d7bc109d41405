import BarlineDSP
import BarlineTime

/// What the stems do, on the audio thread.
struct MultitrackState: BitwiseCopyable, @unchecked Sendable {
    /// Heads that can sound at once. Each but one is fading out.
    static var headCapacity: Int { @_noLocks get { 16 } }

    var set: UnsafePointer<StemSetContent>?
    /// The head that plays, or −1.
    var current = -1
    /// The deck from which playing starts or goes on, or −1.
    var heldDeck = -1
    /// The position there, in seconds.
    var heldSeconds = 0.0
    /// Whether the stems are to play as soon as there is a deck.
    var wantsToPlay = false
    var level = Ramp(constant: 1)

    /// How the stems lie on the grid; `nil` where they have seconds only.
    var grid: StemGrid?
    var hasGrid: Bool {
        @_noLocks get {
            if case .some = grid { return true }
            return false
        }
    }
    /// The position of a bar line, in seconds; 0 where the stems are not on the grid.
    var gridBarLine: Double {
        @_noLocks get {
            if case .some(let grid) = grid { return grid.barLine }
            return 0
        }
    }
    /// The position of a bar line, in seconds: the grid's, or that of the marker from which the stems have started.
    var barLine = 0.0
    /// Whether the stems have set the transport rolling.
    var leadsTransport = false
    /// The frame on which the stems start or jump, or the end of time; and the place of it: a bar, and quarter notes into it.
    var entryFrame = FrameTime(rawValue: .max)
    var entryBar: Int64 = 0
    var entryPhase = 0.0
    /// The deck to which stems that play jump then, or −1 where they start; and the position there, in seconds.
    var jumpDeck = -1
    var jumpSeconds = 0.0

    /// The loop's number, 0 for none; and the region in seconds.
    var loop = 0
    var loopStart = 0.0
    var loopEnd = 0.0
    /// The frame at which the loop's end is reached, or the end of time.
    var wrapFrame = FrameTime(rawValue: .max)
    /// Whether the loop's end was reached without a deck to go on from.
    var isWrapLate = false
    /// The frame after the last stem's last one, or the end of time where that is not known yet.
    var endFrame = FrameTime(rawValue: .max)
    var underruns: Int64 = 0
    /// The frames by which the timeline has moved and the stems have not: they do when they have faded out.
    var shift: Int64 = 0

    @_noLocks init() {}

    /// Whether the stems wait for a place in the bar.
    var isQueued: Bool { @_noLocks get { entryFrame.rawValue != .max } }

    /// The position from which they go on there.
    var queuedSeconds: Double { @_noLocks get { jumpDeck >= 0 ? jumpSeconds : heldSeconds } }
}
