extension Mixer {
    /// A command to the mixer.
    enum Action: BitwiseCopyable, @unchecked Sendable {
        /// Ramps a parameter of a channel, a bus or an effect to a target.
        case set(ParameterID, target: Double, ParameterRamp = ParameterRamp())
        case channelMute(channel: Int, Bool)
        case channelSolo(channel: Int, Bool)
        case channelBus(channel: Int, bus: Int)
        case sendPreFader(channel: Int, bus: Int, Bool)
        case limiter(isOn: Bool, ceiling: Float)
        case resetOvers

        /// The requested ramp length.
        var length: RampLength {
            @_noLocks get {
                guard case .set(_, _, let ramp) = self else { return .shortest }
                return ramp.length
            }
        }
    }
}
