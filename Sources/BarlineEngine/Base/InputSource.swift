/// What an input is of.
public enum InputSource: Hashable, Sendable, BitwiseCopyable {
    /// The device's channels of its number.
    case device
    /// What a track gives, after its effects and its fader.
    case track(TrackIndex)
    /// What goes to an output, after its effects and its fader, and before its limiter.
    case bus(BusIndex)

    /// Whether it comes from elsewhere.
    var isDevice: Bool {
        @_noLocks get {
            switch self {
            case .device: true
            case .track, .bus: false
            }
        }
    }
}
