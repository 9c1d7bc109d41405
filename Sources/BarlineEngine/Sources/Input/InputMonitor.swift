import BarlineDSP

/// The monitoring mode of an input: when it is heard through its track.
public enum MonitorMode: String, Sendable, CaseIterable, BitwiseCopyable {
    /// While no clip plays on the track, or one that it is recorded over.
    case auto
    /// Whatever plays.
    case always
    /// Not at all: it is heard past the engine, or not to be heard.
    case never
}

/// The monitor of an input on a track.
struct InputMonitor: BitwiseCopyable, Sendable {
    /// The input that is heard; −1 for none.
    var input = -1
    /// The one that is to be heard, once the other has faded out.
    var wanted = -1
    var mode = MonitorMode.auto
    var level = Ramp(constant: 0)

    @_noLocks init() {}

    /// Whether what is on its way is heard or not, and what is heard is an input.
    @_noLocks func checkInvariants() -> Bool {
        (level.target == 0 || level.target == 1) && (input >= 0 || level.target == 0)
    }

    /// The level at which it is to be heard, while a clip plays on the track or not.
    @_noLocks func target(isPlaying: Bool) -> Float {
        if input < 0 || input != wanted { return 0 }
        switch mode {
        case .auto: return isPlaying ? 0 : 1
        case .always: return 1
        case .never: return 0
        }
    }
}
