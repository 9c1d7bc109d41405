import BarlineTime

/// The selection of an output.
public struct OutputSelection: Hashable, Sendable {
    /// A way to sound.
    public typealias Backend = OutputBackend

    /// The backend; `nil` for the best one there is.
    public var backend: Backend?
    /// The device, for backends that have several; a Snapcast server's address.
    public var device: String?
    /// Where JACK ports are connected.
    public var connection = JackConnection.automatic
    /// The latency asked of PortAudio, in seconds.
    public var latency: Double?
    /// The rate of the null output.
    public var sampleRate = SampleRate.standard

    /// The best output there is.
    public init() {}

    /// Opens the output that is wanted. Without a backend: JACK where a server runs, else PortAudio where it has a
    /// device, else the null output.
    ///
    /// - Throws: ``OutputError``; never where no backend is asked for.
    public func open() throws(OutputError) -> any OutputDevice {
        switch backend {
        case .jack: return try JackDevice(connection: connection)
        case .portaudio: return try PortAudioDevice(name: device, latency: latency)
        case .snapcast: return try SnapcastDevice(address: SnapcastAddress(device ?? "localhost"))
        case .null: return NullDevice(sampleRate: sampleRate)
        case nil: return (try? openHeard()) ?? NullDevice(sampleRate: sampleRate)
        }
    }

    /// Opens the best output that is heard: JACK where a server runs, else PortAudio where it has a device.
    ///
    /// - Throws: ``OutputError`` where there is neither.
    package func openHeard() throws(OutputError) -> any OutputDevice {
        if let jack = try? JackDevice(connection: connection) { return jack }
        return try PortAudioDevice(name: device, latency: latency)
    }

    /// The same selection, of that backend only.
    package func fixed(to backend: Backend) -> OutputSelection {
        var selection = self
        selection.backend = backend
        return selection
    }
}
