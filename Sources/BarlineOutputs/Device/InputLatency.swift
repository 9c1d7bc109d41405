import BarlineEngine
import BarlineTime

/// The alignment of an input's recordings.
public enum InputAlignment: Hashable, Sendable {
    /// With the audible output: a musician who plays to the loudspeakers plays as late as these are, and the capture
    /// delays it further.
    case heard
    /// With the engine itself, as for another program on the same server: only the capture latency counts.
    case captured
    /// A fixed latency, in frames.
    case fixed(Int)
}

/// A measured correction of a round trip: how many frames longer it is than its two devices report.
public struct LatencyCorrection: Hashable, Sendable {
    /// The playback device.
    public var output: String
    /// The capture device.
    public var input: String
    /// The sample rate of the measurement: frames of other rates are not comparable.
    public var sampleRate: SampleRate
    /// The number of frames to add to the reported latency; may be below 0.
    public var frames: Int

    /// Creates a measured correction.
    public init(output: String, input: String, sampleRate: SampleRate, frames: Int) {
        self.output = output
        self.input = input
        self.sampleRate = sampleRate
        self.frames = frames
    }
}

/// The latency of an input, and its origin.
public struct InputLatency: Hashable, Sendable {
    /// The engine's input.
    public var input: InputIndex
    /// The latency in frames: how long before its delivery audio was played.
    public var frames: Int
    /// The measured part of it, beyond what the devices report.
    public var correction: Int
    /// The playback device; `nil` if there is none, or several, or it does not matter.
    public var outputDevice: String?
    /// The capture device; `nil` if there is none, or several, or measurements don't matter.
    public var inputDevice: String?

    /// Creates the latency of an input.
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

extension DeviceInput {
    /// The latency of its recordings where its ports, and those of the output, may be connected to several devices.
    ///
    /// - Parameters:
    ///   - engine: the latency of the engine's own output, in frames.
    ///   - outputs: the devices that play.
    ///   - inputs: the devices that it is recorded from.
    ///   - sampleRate: the devices' sample rate, in hertz.
    /// - Returns: the latency of the device that is heard, and of the one that is recorded from; where they can't be
    ///   told from others, of the latest ones.
    func latency(
        engine: Int, outputs: [ConnectedDevice], inputs: [ConnectedDevice], sampleRate: Double
    ) -> InputLatency {
        let known = corrections.filter { $0.sampleRate.hertz == sampleRate }
        let output = outputs.sole { name in
            known.contains { correction in
                correction.output == name && inputs.contains { $0.name == correction.input }
            }
        }
        let input = inputs.sole { name in
            known.contains { correction in
                correction.input == name && outputs.contains { $0.name == correction.output }
            }
        }
        func latest(_ devices: [ConnectedDevice]) -> Int { devices.map(\.latency).max() ?? 0 }
        return latency(
            playback: (output?.latency ?? latest(outputs)) + engine, capture: input?.latency ?? latest(inputs),
            output: output?.name, input: input?.name, sampleRate: sampleRate)
    }

    /// The latency of its recordings.
    ///
    /// - Parameters:
    ///   - playback: the reported latency of the playback that musicians play along with, in frames.
    ///   - capture: the reported latency of its channels, in frames.
    ///   - output: the playback device; `nil` if there is none, or several.
    ///   - input: the capture device; `nil` if there is none, or several.
    ///   - sampleRate: the devices' sample rate, in hertz.
    /// - Returns: the latency: both ways and the correction, the way in, or the fixed number of frames.
    func latency(
        playback: Int, capture: Int, output: String?, input: String?, sampleRate: Double
    ) -> InputLatency {
        switch alignment {
        case .heard:
            let measured = corrections.first {
                $0.output == output && $0.input == input && $0.sampleRate.hertz == sampleRate
            }
            let correction = measured?.frames ?? correction
            return InputLatency(
                input: index, frames: playback + capture + correction, correction: correction, outputDevice: output,
                inputDevice: input)
        case .captured: return InputLatency(input: index, frames: capture)
        case .fixed(let frames): return InputLatency(input: index, frames: frames)
        }
    }
}
