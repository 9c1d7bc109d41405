import BarlineDSP

/// The monitoring mode of an input: when it is audible on its track.
public enum MonitorMode: String, Sendable, CaseIterable, BitwiseCopyable {
    /// While no clip plays on the track, or one that it is overdubbed onto.
    case auto
    /// Always, whatever plays.
    case always
    /// Never: it is monitored outside the engine, or not at all.
    case never
}

/// The monitor of an input on a track.
struct InputMonitor: BitwiseCopyable, Sendable {
    /// The audible input; −1 for none.
    var input = -1
    /// The input to switch to, once the current one has faded out.
    var wanted = -1
    var mode = MonitorMode.auto
    var level = Ramp(constant: 0)

    @_noLocks init() {}

    /// Whether the invariants hold: the level ends at 0 or 1, and whatever is audible is an input.
    @_noLocks func checkInvariants() -> Bool {
        (level.target == 0 || level.target == 1) && (input >= 0 || level.target == 0)
    }

    /// The target level, depending on whether a clip plays on the track.
    @_noLocks func target(isPlaying: Bool) -> Float {
        if input < 0 || input != wanted { return 0 }
        switch mode {
        case .auto: return isPlaying ? 0 : 1
        case .always: return 1
        case .never: return 0
        }
    }
}
