import BarlineOutputs

/// The facts about the output that the session plays on.
package struct OutputFacts: Hashable, Sendable {
    /// How it sounds: `jack`, `portaudio`, `null`.
    package var backend = "null"
    /// The backend and the device, for a person.
    package var name = ""
    /// `running` or `lost`.
    package var status = "running"
    /// The seconds from a frame's rendering to its sounding.
    package var latency = 0.0
    /// Blocks that came too late.
    package var xruns: Int64 = 0
    /// What blocks have taken of their time, the last seconds; `nil` where it is not known.
    package var load: OutputLoad?
    /// The main output's loudness over 3 s, in LUFS.
    package var loudness = -Double.infinity

    /// An output nothing is known of.
    package init() {}
}
