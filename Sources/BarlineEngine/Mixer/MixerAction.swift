/// What is asked of the mixer.
enum MixerAction: BitwiseCopyable, @unchecked Sendable {
    case channelGain(channel: Int, Float)
    case channelPan(channel: Int, Float)
    case channelMute(channel: Int, Bool)
    case channelSolo(channel: Int, Bool)
    case channelBus(channel: Int, bus: Int)
    case busGain(bus: Int, Float)
    case limiter(isOn: Bool, ceiling: Float)
    case resetOvers
}
