extension Mixer {
    /// A command to the mixer.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        case channelGain(channel: Int, Float, Glide = Glide())
        case channelPan(channel: Int, Float, Glide = Glide())
        case channelMute(channel: Int, Bool)
        case channelSolo(channel: Int, Bool)
        case channelBus(channel: Int, bus: Int)
        case busGain(bus: Int, Float, Glide = Glide())
        case limiter(isOn: Bool, ceiling: Float)
        case resetOvers

        /// The requested ramp length.
        var length: RampLength {
            @_noLocks get {
                switch self {
                case .channelGain(_, _, let glide), .channelPan(_, _, let glide), .busGain(_, _, let glide):
                    glide.length
                default: .shortest
                }
            }
        }
    }
}
