import BarlineTime

/// The format of a device, as it reports it.
public struct OutputFormat: Hashable, Sendable {
    /// The backend.
    public var backend: OutputBackend
    /// The backend and the device, for a person.
    public var name: String
    /// The rate at which it runs.
    public var sampleRate: SampleRate
    /// The frames that it asks for at a time; may change while it runs.
    public var blockFrames: Int
    /// The time from a frame's rendering to its sounding, in seconds.
    public var latency: Double
    /// How much audio the device takes before it is due, in seconds, and does not give back: a change is heard that much
    /// later. 0 where it asks for every block when it needs it.
    public var sendAhead: Double

    /// Creates a description.
    public init(
        backend: OutputBackend, name: String, sampleRate: SampleRate, blockFrames: Int, latency: Double,
        sendAhead: Double = 0
    ) {
        self.backend = backend
        self.name = name
        self.sampleRate = sampleRate
        self.blockFrames = blockFrames
        self.latency = latency
        self.sendAhead = sendAhead
    }
}

/// Something that asks for audio, block by block, on a thread of its own.
///
/// A device is opened when it is made, and used once: after ``close()`` another one is made. ``OutputSupervisor`` does
/// that when a device is lost.
public protocol OutputDevice: AnyObject, Sendable {
    /// What the device says of itself, now.
    var format: OutputFormat { get }
    /// Whether the device has said that it is gone.
    var isLost: Bool { get }
    /// Begins to ask `source` for audio.
    func start(_ source: RenderSource) throws(OutputError)
    /// Makes outputs for buses that have had none; `busNames` are the names of all. Devices whose outputs are what they
    /// are do nothing.
    func addOutputs(_ busNames: [String])
    /// Whether it gives the engine what its inputs have.
    var givesInputs: Bool { get }
    /// Says anew what it is to give; devices that give nothing do nothing.
    func setInputs(_ inputs: [DeviceInput])
    /// How late what its inputs give comes.
    var inputLatencies: [InputLatency] { get }
    /// Ends. May take forever where the system's audio library hangs: whoever calls it must not depend on its return.
    func close()
}

extension OutputDevice {
    /// Does nothing.
    public func addOutputs(_ busNames: [String]) {}
    /// `false`.
    public var givesInputs: Bool { false }
    /// Does nothing.
    public func setInputs(_ inputs: [DeviceInput]) {}
    /// None.
    public var inputLatencies: [InputLatency] { [] }
}
