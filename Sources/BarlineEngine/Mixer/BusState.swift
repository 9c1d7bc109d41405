import BarlineDSP

/// An output pair: the sum of its tracks.
struct BusState: BitwiseCopyable, @unchecked Sendable {
    var level = Ramp(constant: 1)
    var meter = Meter()

    @_noLocks init() {}
}
