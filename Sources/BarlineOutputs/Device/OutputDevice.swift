import BarlineTime

/// The format of a device, as it reports it.
public struct OutputFormat: Hashable, Sendable {
    /// The backend.
    public var backend: OutputBackend
    /// The backend and the device, human-readable.
    public var name: String
    /// The sample rate.
    public var sampleRate: SampleRate
    /// The block size in frames; may change while it runs.
    public var blockFrames: Int
    /// The time from a frame's rendering to its playback, in seconds.
    public var latency: Double
    /// How much audio the device takes in advance, in seconds, and does not return: a change becomes audible that
    /// much later. 0 if it requests every block when it needs it.
    public var sendAhead: Double

    /// Creates a format.
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

/// An output that requests audio, block by block, on a thread of its own.
///
/// A device is opened when it is created, and used once: after ``close()`` a new one is created. ``OutputSupervisor``
/// does that when a device is lost.
public protocol OutputDevice: AnyObject, Sendable {
    /// The current format, as the device reports it.
    var format: OutputFormat { get }
    /// Whether the device has reported that it is gone.
    var isLost: Bool { get }
    /// Starts requesting audio from `source`.
    func start(_ source: RenderSource) throws(OutputError)
    /// Creates outputs for buses that have none yet; `busNames` are the names of all. Devices with fixed outputs do
    /// nothing.
    func addOutputs(_ busNames: [String])
    /// Whether it supplies the engine's inputs.
    var givesInputs: Bool { get }
    /// Replaces the inputs that it should supply; devices without inputs do nothing.
    func setInputs(_ inputs: [DeviceInput])
    /// The name of what sends the engine's MIDI clock; `nil` if nothing does.
    var clockPort: String? { get }
    /// The latencies of its inputs.
    var inputLatencies: [InputLatency] { get }
    /// Does what has to be done while it runs, which no callback may do: called ten times a second by one thread. Most
    /// devices do nothing.
    func attend()
    /// Closes it. May block forever if the system's audio library hangs: callers must not depend on its return.
    func close()
}

extension OutputDevice {
    /// Does nothing.
    public func addOutputs(_ busNames: [String]) {}
    /// `false`.
    public var givesInputs: Bool { false }
    /// Does nothing.
    public func setInputs(_ inputs: [DeviceInput]) {}
    /// Does nothing.
    public func attend() {}
    /// `nil`.
    public var clockPort: String? { nil }
    /// None.
    public var inputLatencies: [InputLatency] { [] }
}
