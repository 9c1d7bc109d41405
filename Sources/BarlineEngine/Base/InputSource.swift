/// The source of an input.
public enum InputSource: Hashable, Sendable, BitwiseCopyable {
    /// The device's channels of the input's number.
    case device
    /// A track, after its effects and its fader.
    case track(TrackIndex)
    /// A bus, after its effects and its fader, and before its limiter.
    case bus(BusIndex)

    /// Whether it comes from the device.
    var isDevice: Bool {
        @_noLocks get {
            switch self {
            case .device: true
            case .track, .bus: false
            }
        }
    }
}
