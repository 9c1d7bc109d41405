import ArgumentParser
import BarlineHost
import BarlineSession
import Foundation

/// `barline latency`: how long sound takes out through a device and in again, by which recordings are moved to where
/// they were played.
struct LatencyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Measures the round-trip latency of a device, by a cable.",
        usage: "barline latency [<options>]",
        discussion: """
            Connect an output of the device with one of its inputs by a cable, and turn the loudspeakers down: some seconds of \
            a sweep are played. What was measured is kept for the device and its rate, and recordings are moved by it in place \
            of what the driver says. Those that were made before are moved by the action alignTakes.
            """)

    @Option(help: ArgumentHelp("The output: its number, or the name of a JACK port.", valueName: "number"))
    var output = "1"

    @Option(help: ArgumentHelp("The input: its number, or the name of a JACK port.", valueName: "number"))
    var input = "1"

    @Flag(help: "List measured latencies; measure nothing.")
    var list = false

    @Flag(help: "Forget measured latencies; measure nothing.")
    var forget = false

    @OptionGroup var options: ListOptions

    func validate() throws {
        if list, forget { throw ValidationError("--list and --forget contradict each other") }
    }

    func run() throws {
        let store = LatencyStore(.standard)
        if forget { return try store.forget() }
        if list { return store.measured.forEach(show) }
        let trip = try RoundTrip()
        if !options.json { Terminal.printLine("listening …") }
        let result = try trip.measure(
            output: output, input: input, date: Date.now.formatted(.iso8601))
        show(
            result.measured,
            more: [
                "outputPort": .string(result.output), "inputPort": .string(result.input),
                "spread": .number(LatencyCommand.rounded(result.spread)),
                "gain": .number(LatencyCommand.rounded(result.gain)),
            ])
        if !options.json {
            Terminal.printLine("  by \(result.output) and \(result.input), \(String(format: "%.1f", result.gain)) dB")
        }
        if result.measured.isFarOff {
            Terminal.report(
                "the driver is \(LatencyCommand.milliseconds(abs(result.measured.difference))) off: recordings are moved by what was measured"
            )
        }
        try store.keep(result.measured)
    }

    private func show(_ latency: MeasuredLatency) { show(latency, more: [:]) }

    private func show(_ latency: MeasuredLatency, more: [String: JSONValue]) {
        if options.json {
            let values: [String: JSONValue] = [
                "output": .string(latency.output), "input": .string(latency.input),
                "sampleRate": .number(latency.sampleRate), "blockFrames": .number(Double(latency.blockFrames)),
                "roundTrip": .number(LatencyCommand.rounded(latency.roundTrip)),
                "declared": .number(Double(latency.declared)), "correction": .number(Double(latency.correction)),
                "isFarOff": .bool(latency.isFarOff), "date": .string(latency.date),
            ]
            return JSONOutput.print(values.merging(more) { $1 })
        }
        let seconds = LatencyCommand.milliseconds(latency.roundTrip / latency.sampleRate)
        let declared = LatencyCommand.milliseconds(Double(latency.declared) / latency.sampleRate)
        Terminal.printLine(
            "\(latency.output) to \(latency.input): \(String(format: "%.1f", latency.roundTrip)) frames (\(seconds)) at "
                + "\(Int(latency.sampleRate)) Hz; the driver says \(latency.declared) frames (\(declared))")
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    private static func milliseconds(_ seconds: Double) -> String { String(format: "%.2f ms", 1000 * seconds) }
}
