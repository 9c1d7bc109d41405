import BarlineTime
import CRealtime
import Foundation
import Synchronization

/// An output that is available.
public struct OutputListing: Hashable, Sendable {
    /// The backend.
    public let backend: OutputBackend
    /// The device's name.
    public let name: String
    /// The name by which a device of its backend is opened; `nil` if the backend has only one.
    public var deviceName: String?
    /// The sample rate, in hertz.
    public let sampleRate: Double
    /// The number of output channels; `nil` if unlimited.
    public let channelCount: Int?
    /// The time from rendering to playback, in seconds.
    public let latency: Double
    /// Whether it is used by default.
    public let isDefault: Bool

    package init(
        backend: OutputBackend, name: String, deviceName: String? = nil, sampleRate: Double,
        channelCount: Int?, latency: Double, isDefault: Bool
    ) {
        self.backend = backend
        self.name = name
        self.deviceName = deviceName
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.latency = latency
        self.isDefault = isDefault
    }

    /// Whether ``all()`` includes every device connected now.
    package static var isComplete: Bool { !PortAudioLibrary.isInUse }

    /// The sound libraries in use, with their versions.
    package static var libraries: [String] {
        [PortAudioLibrary.version, JackDevice.libraryVersion].compactMap { $0 }
    }

    /// Whether a thread may get a realtime priority.
    package static func isRealtimeGranted(priority: Int32) -> Bool {
        let isGranted = Mutex(false)
        let isDone = DispatchSemaphore(value: 0)
        NamedThread.start("barline-probe") {
            isGranted.withLock { $0 = rt_thread_request_priority(priority) == 0 }
            isDone.signal()
        }
        isDone.wait()
        return isGranted.withLock { $0 }
    }

    /// All available outputs, best first. While a PortAudio device plays, PortAudio does not see devices plugged in
    /// since.
    ///
    /// - Complexity: O(*n*) in the devices, which the sound libraries look for: it may take a second.
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
        // PortAudio lists JACK's ports too, with an extra layer in between.
        let hasJack = !listings.isEmpty
        for device in PortAudioLibrary.devices() where !(hasJack && device.system == "JACK Audio Connection Kit") {
            listings.append(
                OutputListing(
                    backend: .portaudio, name: "\(device.system): \(device.name)",
                    deviceName: "\(device.system): \(device.name)", sampleRate: device.sampleRate,
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
