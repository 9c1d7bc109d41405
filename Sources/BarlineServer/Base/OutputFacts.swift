/// What is known of the output that the session plays on.
public struct OutputFacts: Hashable, Sendable {
    /// How it sounds: `jack`, `portaudio`, `null`.
    public var backend = "null"
    /// The backend and the device, for a person.
    public var name = ""
    /// `running` or `lost`.
    public var status = "running"
    /// The seconds from a frame's rendering to its sounding.
    public var latency = 0.0
    /// Blocks that came too late.
    public var xruns: Int64 = 0
    /// The main output's loudness over 3 s, in LUFS.
    public var loudness = -Double.infinity

    /// An output nothing is known of.
    public init() {}
}
