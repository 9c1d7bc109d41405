import BarlineEngine

/// An input of a session: channels of the capture device, or a file in an offline render.
public struct InputDocument: Hashable, Sendable {
    /// The name used by tracks and actions.
    public var name: String
    /// The device's channels, counted from 1: one, or a left and a right one.
    public var channels = [1, 2]
    /// When it is monitored on the tracks that use it.
    public var monitor = MonitorMode.auto
    /// The input gain in dB.
    public var gain = 0.0
    /// The alignment of its recordings.
    public var alignment = Alignment.heard
    /// The input latency in frames; `nil` for the one reported by the devices.
    public var latency: Int?
    /// A track or an output to record from instead of the device; `nil` for the device.
    public var from: InputOrigin? {
        get { kept?.origin }
        set { kept = newValue.map { KeptOrigin(origin: $0, rest: kept?.rest ?? [:]) } }
    }
    /// The same, with what this version does not know of it.
    package var kept: KeptOrigin?
    /// Unknown keys, which are kept.
    package var rest: [String: JSONValue] = [:]

    /// The alignment of an input's recordings.
    public enum Alignment: String, Sendable, CaseIterable {
        /// With the audible output, as for a musician who plays along: playback and capture latency count.
        case heard
        /// With the engine itself, as for a synthesiser on its clock: only capture latency counts.
        case captured
    }

    /// Creates an input of the first two channels.
    public init(name: String) { self.name = name }
}

extension InputDocument: KeyedDocument {
    static var standard: InputDocument { InputDocument(name: "") }

    static let keys: [DocumentKey<InputDocument>] = [
        .required("name", \.name, .words, "what tracks and scripts call it"),
        .standard("channels", \.channels, .channels, "the device's, counted from 1: one, or a left and a right one"),
        .standard(
            "monitor", \.monitor, ValueType<MonitorMode>.word,
            "when it is heard on tracks whose `input` it is: while no clip plays there, always or never"),
        .standard("gain", \.gain, .gain, "how loud it is taken in"),
        .standard(
            "alignment", \.alignment, ValueType<Alignment>.word,
            "what it is in time with: what is heard, as who plays to it is, or the program itself, as a synthesiser on its clock is",
            as: .missing),
        .optional(
            "latency", \.latency, .whole(InputDocument.latencies, unit: "frames"),
            "how many before its delivery what it gives belongs; `null`: what is known of the devices, or was measured",
            as: .missing),
        .optional(
            "from", \.kept, .origin,
            "what is played that it is of: `{\"track\": T}`, or `{\"output\": NAME}` (`main` for the main one); `null`: a device",
            as: .missing),
    ]

    /// What can be taken off, in frames.
    private static let latencies = -96_000...960_000

    /// The input as JSON.
    package var json: JSONValue { .object(values) }
}

extension ValueType where Value == [Int] {
    /// The most channels that a device may be asked for.
    private static let highestChannel = 256

    /// Channels of a device.
    fileprivate static var channels: ValueType {
        var facts = ValueFacts(.list, expected: "a list of one or two channels from 1 to \(highestChannel)")
        facts.examples = [[1, 2], [3]]
        return ValueType(
            facts: facts,
            read: { [facts] reader, key throws(SessionError) in
                guard reader.has(key), reader.value(key) != .null else { return nil }
                guard case .array(let values)? = reader.value(key), (1...2).contains(values.count) else {
                    throw reader.error(key, expected: facts.expected)
                }
                var channels: [Int] = []
                for value in values {
                    guard case .number(let number) = value, number == number.rounded(),
                        (1...Double(highestChannel)).contains(number)
                    else { throw reader.error(key, expected: facts.expected) }
                    channels.append(Int(number))
                }
                return channels
            }, write: { .array($0.map { .number(Double($0)) }) })
    }
}

extension SessionDocument {
    /// Refuses two inputs of one name.
    func checkInputs(file: String) throws(SessionError) {
        var names: Set<String> = []
        for (index, input) in inputs.enumerated() where !names.insert(input.name).inserted {
            throw .duplicate(path: file, key: "inputs[\(index)].name", id: input.name)
        }
    }
}
