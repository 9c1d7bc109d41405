/// A device that PortAudio lists.
package struct PortAudioDeviceInfo: Hashable, Sendable {
    /// PortAudio's index of the device.
    package let index: Int
    /// The device's name.
    package let name: String
    /// The host API: ALSA, CoreAudio, WASAPI, …
    package let system: String
    /// The number of output channels.
    package let channelCount: Int
    /// Its default sample rate.
    package let sampleRate: Double
    /// The time from a frame's rendering to its playback, in seconds, with a small buffer.
    package let lowLatency: Double
    /// Whether it is the system's default.
    package let isDefault: Bool
    /// Whether it is on a JACK server.
    package let isJack: Bool
}
