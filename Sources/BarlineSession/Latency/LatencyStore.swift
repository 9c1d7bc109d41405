import Foundation

/// A measured latency from an output of a device through a cable to an input.
package struct MeasuredLatency: Hashable, Sendable {
    /// The device that plays.
    package var output: String
    /// The device that captures.
    package var input: String
    /// In hertz.
    package var sampleRate: Double
    /// The frames of a block when it was measured.
    package var blockFrames: Int
    /// In frames.
    package var roundTrip: Double
    /// What the devices said of both ways together, in frames.
    package var declared: Int
    /// When it was measured, for a person: ISO 8601.
    package var date: String

    /// A measurement.
    package init(
        output: String, input: String, sampleRate: Double, blockFrames: Int, roundTrip: Double, declared: Int,
        date: String
    ) {
        self.output = output
        self.input = input
        self.sampleRate = sampleRate
        self.blockFrames = blockFrames
        self.roundTrip = roundTrip
        self.declared = declared
        self.date = date
    }

    /// How many frames it is more than the devices say.
    package var correction: Int { Int(roundTrip.rounded()) - declared }
    /// The same in seconds.
    package var difference: Double { (roundTrip - Double(declared)) / sampleRate }
    /// Whether what the devices say is further off than can be put up with: a millisecond.
    package var isFarOff: Bool { abs(difference) > 0.001 }

    /// Whether it is of the same devices at the same rate.
    func isOfSame(_ other: MeasuredLatency) -> Bool {
        (output, input) == (other.output, other.input) && sampleRate == other.sampleRate
    }

    fileprivate var json: JSONValue {
        [
            "output": .string(output), "input": .string(input), "sampleRate": .number(sampleRate),
            "blockFrames": .number(Double(blockFrames)), "roundTrip": .number(roundTrip),
            "declared": .number(Double(declared)), "date": .string(date),
        ]
    }

    fileprivate init?(_ json: JSONValue) {
        guard case .object(let values) = json, case .string(let output)? = values["output"],
            case .string(let input)? = values["input"], case .string(let date)? = values["date"],
            case .number(let rate)? = values["sampleRate"], rate > 0,
            case .number(let trip)? = values["roundTrip"], (0...1e9).contains(trip),
            case .number(let declared)? = values["declared"], (-1e9...1e9).contains(declared),
            case .number(let block)? = values["blockFrames"], (0...1e6).contains(block)
        else { return nil }
        self.init(
            output: output, input: input, sampleRate: rate, blockFrames: Int(block), roundTrip: trip,
            declared: Int(declared), date: date)
    }
}

/// Round trips that were measured, one for each pair of devices and rate, in a file beside the autosaves.
package struct LatencyStore: Sendable {
    /// The file.
    let path: String

    /// That of a library.
    package init(_ library: SessionLibrary) { path = library.state.appendingPathComponent("latency.json").path }

    /// When the file was written, in seconds since 1970; `nil` where there is none.
    package var modified: Double? { SessionLibrary.modified(path) }

    /// What was measured, the latest last. What can't be read is as if it were not there.
    package var measured: [MeasuredLatency] {
        guard let data = try? SessionFile.read(path), case .success(.object(let values)) = JSONText.parse(data),
            case .array(let list)? = values["latencies"]
        else { return [] }
        return list.compactMap(MeasuredLatency.init)
    }

    /// Keeps a measurement in the place of an earlier one of the same devices at the same rate.
    ///
    /// - Throws: ``SessionError`` where the file can't be written.
    package func keep(_ latency: MeasuredLatency) throws(SessionError) {
        try write(measured.filter { !$0.isOfSame(latency) } + [latency])
    }

    /// Forgets all: devices are believed again.
    ///
    /// - Throws: ``SessionError`` where the file can't be written.
    package func forget() throws(SessionError) {
        if modified != nil { try write([]) }
    }

    private func write(_ latencies: [MeasuredLatency]) throws(SessionError) {
        try SessionLibrary.makeFolder(of: path)
        let json: JSONValue = ["barline": 1, "latencies": .array(latencies.map(\.json))]
        try DurableFile.write((JSONText.line(json) + "\n").utf8, to: path)
    }
}
