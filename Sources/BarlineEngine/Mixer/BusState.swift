import BarlineDSP
import BarlineTime

/// An output pair: the sum of its channels.
struct BusState: BitwiseCopyable, @unchecked Sendable {
    var fader = SegmentedGain(1)
    var meter = Meter()

    @_noLocks init() {}

    /// Whether the invariants hold: its fader and meter are valid.
    @_noLocks func checkInvariants() -> Bool { fader.checkInvariants() && meter.checkInvariants() }
}
