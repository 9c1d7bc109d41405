import BarlineTime

/// Something that can be played to.
public struct OutputListing: Hashable, Sendable {
    /// The backend.
    public let backend: OutputSelection.Backend
    /// The device's name.
    public let name: String
    /// What a device of its backend is opened by; `nil` where the backend has one only.
    public var deviceName: String?
    /// The rate at which it runs, in hertz.
    public let sampleRate: Double
    /// Output channels; `nil` where there is no limit.
    public let channelCount: Int?
    /// Seconds from rendering to sounding.
    public let latency: Double
    /// Whether it is used when none is asked for.
    public let isDefault: Bool

    /// Everything there is, the best first.
    public static func all() -> [OutputListing] {
        var listings: [OutputListing] = []
        if let jack = try? JackDevice(name: "barline-probe") {
            let format = jack.format
            listings.append(
                OutputListing(
                    backend: .jack, name: "JACK server", sampleRate: format.sampleRate.hertz, channelCount: nil,
                    latency: Double(format.blockFrames) / format.sampleRate.hertz, isDefault: true))
            jack.close()
        }
        for device in PortAudioLibrary.devices() {
            listings.append(
                OutputListing(
                    backend: .portaudio, name: "\(device.system): \(device.name)",
                    deviceName: String(device.index), sampleRate: device.sampleRate,
                    channelCount: device.channelCount, latency: device.lowLatency,
                    isDefault: !listings.contains { $0.isDefault } && device.isDefault))
        }
        let null = NullDevice().format
        listings.append(
            OutputListing(
                backend: .null, name: null.name, sampleRate: null.sampleRate.hertz, channelCount: nil,
                latency: null.latency, isDefault: !listings.contains { $0.isDefault }))
        return listings
    }
}
