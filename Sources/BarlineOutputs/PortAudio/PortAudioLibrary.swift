import BarlineTime
import CPortAudio
import Foundation
import Synchronization

/// A device that PortAudio knows.
public struct PortAudioDeviceInfo: Hashable, Sendable {
    /// PortAudio's number of the device.
    public let index: Int
    /// The device's name.
    public let name: String
    /// The system behind it: ALSA, CoreAudio, WASAPI, …
    public let system: String
    /// Output channels.
    public let channelCount: Int
    /// The rate at which it runs unless told otherwise.
    public let sampleRate: Double
    /// The time from a frame's rendering to its sounding, in seconds, where the buffer is chosen small.
    public let lowLatency: Double
    /// Whether it is the system's default.
    public let isDefault: Bool
}

/// PortAudio's start and end, which are global to the process.
enum PortAudioLibrary {
    private static let isInitialised = Mutex(false)

    /// Starts the library; once is enough for the life of the process.
    static func start() throws(OutputError) {
        let code = isInitialised.withLock { isInitialised in
            if isInitialised { return PaError(paNoError.rawValue) }
            let code = StandardError.silenced { Pa_Initialize() }
            isInitialised = code == paNoError.rawValue
            return code
        }
        guard code == paNoError.rawValue else {
            throw .cannotStart(backend: "portaudio", reason: String(cString: Pa_GetErrorText(code)))
        }
    }

    /// The devices that have outputs.
    static func devices() -> [PortAudioDeviceInfo] {
        guard (try? start()) != nil else { return [] }
        let chosen = Int(Pa_GetDefaultOutputDevice())
        return (0..<max(0, Int(Pa_GetDeviceCount()))).compactMap { index in
            guard let info = Pa_GetDeviceInfo(PaDeviceIndex(index)), info.pointee.maxOutputChannels > 0 else {
                return nil
            }
            let system = Pa_GetHostApiInfo(info.pointee.hostApi).map { String(cString: $0.pointee.name) } ?? ""
            return PortAudioDeviceInfo(
                index: index, name: String(cString: info.pointee.name), system: system,
                channelCount: Int(info.pointee.maxOutputChannels), sampleRate: info.pointee.defaultSampleRate,
                lowLatency: info.pointee.defaultLowOutputLatency, isDefault: index == chosen)
        }
    }
}

/// The process's standard error.
enum StandardError {
    /// Runs `body` while nothing reaches standard error: ALSA reports there every device that it does not find.
    static func silenced<Result>(_ body: () -> Result) -> Result {
        let saved = dup(STDERR_FILENO)
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard saved >= 0, null >= 0 else { return body() }
        dup2(null, STDERR_FILENO)
        close(null)
        defer {
            dup2(saved, STDERR_FILENO)
            close(saved)
        }
        return body()
    }
}
