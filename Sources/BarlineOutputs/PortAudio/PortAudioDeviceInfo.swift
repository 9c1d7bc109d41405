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
    /// What captures along with it: its own inputs, or those of its host API's default; `nil` where there is nothing.
    package let capture: PortAudioCaptureInfo?
}

/// The capture device that belongs to a device that PortAudio lists.
package struct PortAudioCaptureInfo: Hashable, Sendable {
    /// PortAudio's index of the device.
    package let index: Int
    /// The device's name.
    package let name: String
    /// The number of input channels.
    package let channelCount: Int
    /// The time from a frame's capture to its delivery, in seconds, with a small buffer.
    package let lowLatency: Double
}
