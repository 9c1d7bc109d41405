/// A device that PortAudio knows.
package struct PortAudioDeviceInfo: Hashable, Sendable {
    /// PortAudio's number of the device.
    package let index: Int
    /// The device's name.
    package let name: String
    /// The system behind it: ALSA, CoreAudio, WASAPI, …
    package let system: String
    /// Output channels.
    package let channelCount: Int
    /// Its default rate.
    package let sampleRate: Double
    /// The time from a frame's rendering to its sounding, in seconds, where the buffer is chosen small.
    package let lowLatency: Double
    /// Whether it is the system's default.
    package let isDefault: Bool
}
