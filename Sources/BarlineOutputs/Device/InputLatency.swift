import BarlineEngine
import BarlineTime

/// The alignment of an input's recordings.
public enum InputAlignment: Hashable, Sendable {
    /// With what is heard: who plays to the loudspeakers plays as late as these are, and what was played is given later still.
    case heard
    /// With the engine itself, as another program on the same server is: only the way in counts.
    case captured
    /// With what comes so many frames before it is given.
    case fixed(Int)
}

/// A measured correction of a round trip: how many frames longer it is than its two devices report.
public struct LatencyCorrection: Hashable, Sendable {
    /// The device that plays.
    public var output: String
    /// The device that captures.
    public var input: String
    /// The rate at which it was measured: frames of other rates are others.
    public var sampleRate: SampleRate
    /// What is added to what the devices say; may be below 0.
    public var frames: Int

    /// A measured correction.
    public init(output: String, input: String, sampleRate: SampleRate, frames: Int) {
        self.output = output
        self.input = input
        self.sampleRate = sampleRate
        self.frames = frames
    }
}

/// The latency of an input, and how it is known.
public struct InputLatency: Hashable, Sendable {
    /// The engine's input.
    public var input: InputIndex
    /// The frames before its delivery at which what it gives belongs.
    public var frames: Int
    /// How many of these were measured, beyond what the devices say.
    public var correction: Int
    /// The device that plays; `nil` where that is none, or several, or does not count.
    public var outputDevice: String?
    /// The device that captures; `nil` where that is none, or several, or what was measured does not count.
    public var inputDevice: String?

    /// What is known of an input.
    public init(
        input: InputIndex, frames: Int, correction: Int = 0, outputDevice: String? = nil, inputDevice: String? = nil
    ) {
        self.input = input
        self.frames = frames
        self.correction = correction
        self.outputDevice = outputDevice
        self.inputDevice = inputDevice
    }
}
