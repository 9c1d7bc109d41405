import BarlineOutputs
import BarlineSession
import Foundation

/// Measures how long it takes from an output of a device through a cable to one of its inputs.
package struct RoundTrip {
    /// Why nothing was measured.
    package enum Problem: Error, Hashable, CustomStringConvertible {
        /// There is no server.
        case noServer(String)
        /// The hardware has no such port.
        case noPorts(of: String)
        /// There is no port of that name, or number.
        case unknownPort(String, known: [String])
        /// Nothing of what was played came back.
        case nothingReturned(output: String, input: String)
        /// Measured again it was another time, in frames.
        case unstable([Double])
        /// The server was late again and again.
        case late

        package var description: String {
            switch self {
            case .noServer(let reason):
                "latency is measured through JACK, or PipeWire in its place: \(reason); start it, and if it runs as another user, "
                    + "measure as that one"
            case .noPorts(let kind):
                "the device has no \(kind): choose one that has, or name a port with --\(kind.dropLast())"
            case .unknownPort(let name, let known):
                "there is no port \"\(name)\"; there is \(known.isEmpty ? "none" : known.joined(separator: ", "))"
            case .nothingReturned(let output, let input):
                "nothing of what \(output) played came back by \(input): connect the two by a cable, and turn both up"
            case .unstable(let readings):
                "measured again the round trip was another one (\(readings.map { String(format: "%.1f", $0) }.joined(separator: ", ")) "
                    + "frames): look at the cable, and for what is heard twice"
            case .late: "the server was late again and again: end what loads the machine, or take longer blocks"
            }
        }
    }

    /// A round trip that was measured.
    package struct Result: Hashable, Sendable {
        /// The ports, with their devices.
        package let output: String
        package let input: String
        /// What is kept of it.
        package let measured: MeasuredLatency
        /// How far the readings lie apart, in frames.
        package let spread: Double
        /// How loud the signal came back, in dB.
        package let gain: Double
    }

    /// Periods in a row that are to say the same.
    private static let periods = 3
    /// Periods that are played, at most.
    private static let longestPeriods = 16
    /// How far readings may lie apart, in frames.
    private static let longestSpread = 1.0
    /// The pause between two looks at what was recorded, in seconds.
    private static let pollInterval = 0.02

    private let probe: JackProbe

    /// Connects to the server.
    package init() throws(Problem) {
        do throws(OutputError) {
            probe = try JackProbe()
        } catch {
            guard case .noServer(_, let reason) = error else { throw .noServer("\(error)") }
            throw .noServer(reason)
        }
    }

    /// Measures.
    ///
    /// - Parameters:
    ///   - output: a port's name, or the number of one of the hardware's, from 1.
    ///   - input: the same for the way in.
    ///   - date: when, as it is kept.
    /// - Returns: what was measured.
    /// - Throws: ``Problem`` where nothing was.
    package func measure(output: String, input: String, date: String) throws(Problem) -> Result {
        let output = try port(output, of: probe.outputs, thatPlays: true)
        let input = try port(input, of: probe.inputs, thatPlays: false)
        defer { probe.close() }
        let signal = RoundTripSignal(sampleRate: probe.hertz)
        let period = signal.samples.count
        do throws(OutputError) {
            try probe.begin(
                signal.samples, keeping: RoundTrip.longestPeriods * period, to: output, from: input)
        } catch {
            throw .noServer("\(error)")
        }
        var readings: [RoundTripSignal.Reading] = []
        // The first period is that in which it begins to come back.
        for number in 1..<RoundTrip.longestPeriods where !RoundTrip.agree(readings.suffix(RoundTrip.periods)) {
            while probe.count < (number + 1) * period, !probe.isLost {
                Thread.sleep(forTimeInterval: RoundTrip.pollInterval)
            }
            if probe.isLost { throw .noServer("the server has ended") }
            let span = (number - 1) * period..<(number + 1) * period
            let isDisturbed = probe.faults.contains(where: span.contains)
            let reading = signal.reading(of: probe.recorded(number * period..<(number + 1) * period))
            if let reading, reading.clarity >= RoundTripSignal.leastClarity {
                readings.append(reading)
            } else if !isDisturbed {
                throw .nothingReturned(output: output, input: input)
            }
        }
        guard RoundTrip.agree(readings.suffix(RoundTrip.periods)) else {
            throw probe.faults.isEmpty ? .unstable(readings.suffix(RoundTrip.periods).map(\.frames)) : .late
        }
        readings.removeFirst(readings.count - RoundTrip.periods)
        return result(readings, output: output, input: input, date: date)
    }

    /// Whether as many readings as are wanted say the same.
    private static func agree(_ readings: ArraySlice<RoundTripSignal.Reading>) -> Bool {
        guard readings.count == periods, let low = readings.map(\.frames).min(), let high = readings.map(\.frames).max()
        else { return false }
        return high - low <= longestSpread
    }

    private func result(
        _ readings: [RoundTripSignal.Reading], output: String, input: String, date: String
    ) -> Result {
        let frames = readings.map(\.frames).sorted()
        let declared = probe.declared
        let measured = MeasuredLatency(
            output: probe.device(of: output), input: probe.device(of: input), sampleRate: probe.hertz,
            blockFrames: probe.blockFrames, roundTrip: frames[frames.count / 2],
            declared: declared.playback + declared.capture, date: date)
        return Result(
            output: output, input: input, measured: measured, spread: (frames.last ?? 0) - (frames.first ?? 0),
            gain: readings.map(\.gain).max() ?? -.infinity)
    }

    private func port(_ name: String, of all: [String], thatPlays plays: Bool) throws(Problem) -> String {
        guard let number = Int(name) else {
            if probe.has(name, thatPlays: plays) { return name }
            throw .unknownPort(name, known: all)
        }
        if all.isEmpty { throw .noPorts(of: plays ? "outputs" : "inputs") }
        guard all.indices.contains(number - 1) else { throw .unknownPort(name, known: all) }
        return all[number - 1]
    }
}
