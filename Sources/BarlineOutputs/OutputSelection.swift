import BarlineTime

/// The selection of an output.
public struct OutputSelection: Hashable, Sendable {
    /// An audio backend.
    public typealias Backend = OutputBackend

    /// The backend; `nil` for the best one available.
    public var backend: Backend?
    /// The device, for backends that have several; a Snapcast server's address.
    public var device: String?
    /// The connection of JACK ports.
    public var connection: JackConnection
    /// The latency requested from PortAudio, in seconds.
    public var latency: Double?
    /// The sample rate of the null output.
    public var sampleRate: SampleRate

    /// Creates a selection: of the best output available, unless a backend is given.
    public init(
        backend: Backend? = nil, device: String? = nil, connection: JackConnection = .automatic,
        latency: Double? = nil, sampleRate: SampleRate = .standard
    ) {
        self.backend = backend
        self.device = device
        self.connection = connection
        self.latency = latency
        self.sampleRate = sampleRate
    }

    /// Opens the selected output. Without a backend: JACK if a server runs, else PortAudio if it has a device, else the
    /// null output.
    ///
    /// - Throws: ``OutputError``; never if no backend is selected.
    public func open() throws(OutputError) -> any OutputDevice {
        switch backend {
        case .jack: return try JackDevice(connection: connection)
        case .portaudio: return try PortAudioDevice(name: device, latency: latency)
        case .snapcast: return try SnapcastDevice(address: SnapcastAddress(device ?? "localhost"))
        case .null: return NullDevice(sampleRate: sampleRate)
        case nil: return (try? openAudible()) ?? NullDevice(sampleRate: sampleRate)
        }
    }

    /// Opens the best audible output: JACK if a server runs, else PortAudio if it has a device.
    ///
    /// - Throws: ``OutputError`` if there is neither.
    package func openAudible() throws(OutputError) -> any OutputDevice {
        if let jack = try? JackDevice(connection: connection) { return jack }
        return try PortAudioDevice(name: device, latency: latency)
    }

    /// The same selection, restricted to one backend.
    package func fixed(to backend: Backend) -> OutputSelection {
        var selection = self
        selection.backend = backend
        return selection
    }
}
