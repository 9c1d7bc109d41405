/// The input latency that a recorded clip was corrected by, and the devices it was measured on, so that the clip can be
/// realigned after a new measurement.
public struct ClipLatency: Hashable, Sendable {
    /// The correction in frames.
    public var frames: Int
    /// The measured part of it, beyond what the devices report.
    public var correction: Int
    /// The playback device.
    public var output: String
    /// The capture device.
    public var input: String
    /// The sample rate of the recording, in hertz.
    public var sampleRate: Double
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// Creates a latency.
    public init(frames: Int, correction: Int, output: String, input: String, sampleRate: Double) {
        self.frames = frames
        self.correction = correction
        self.output = output
        self.input = input
        self.sampleRate = sampleRate
    }
}

extension ValueType where Value == ClipLatency {
    /// What was taken off a recording.
    static var recordedLatency: ValueType {
        var facts = ValueFacts(
            .object,
            expected:
                "an object like {\"frames\": 768, \"correction\": 12, \"output\": \"system\", \"input\": \"system\", "
                + "\"sampleRate\": 48000}")
        facts.examples = [
            ["frames": 768, "correction": 12, "output": "system", "input": "system", "sampleRate": 48_000]
        ]
        return ValueType(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                guard reader.has(key), reader.value(key) != .null else { return nil }
                guard case .object(let values)? = reader.value(key), let frames = ClipLatency.frames(values["frames"]),
                    let correction = ClipLatency.frames(values["correction"]),
                    case .string(let output)? = values["output"], case .string(let input)? = values["input"],
                    case .number(let rate)? = values["sampleRate"], (1...10_000_000).contains(rate)
                else { throw reader.error(key, expected: facts.expected) }
                var latency = ClipLatency(
                    frames: frames, correction: correction, output: output, input: input, sampleRate: rate)
                latency.rest = values.filter { latency.known[$0.key] == nil }
                return latency
            },
            write: { .object($0.rest.merging($0.known) { $1 }) })
    }
}

extension ClipLatency {
    fileprivate var known: [String: JSONValue] {
        [
            "frames": .number(Double(frames)), "correction": .number(Double(correction)), "output": .string(output),
            "input": .string(input), "sampleRate": .number(sampleRate),
        ]
    }

    fileprivate static func frames(_ value: JSONValue?) -> Int? {
        guard case .number(let number)? = value, number == number.rounded(), abs(number) <= Double(NumberBounds.frame)
        else { return nil }
        return Int(number)
    }
}
