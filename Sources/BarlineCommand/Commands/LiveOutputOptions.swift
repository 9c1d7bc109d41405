import ArgumentParser
import BarlineHost
import BarlineOutputs
import Logging

/// The options of every command that plays live.
struct LiveOutputOptions: ParsableArguments {
    @Option(help: "The output: jack, portaudio, snapcast or null. Default: the best there is.")
    var backend: OutputSelection.Backend?

    @Option(
        help: ArgumentHelp(
            "PortAudio device: part of its name, or its number. Snapcast: snapcast://HOST[:PORT].", valueName: "name"))
    var device: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Latency asked of PortAudio.", valueName: "milliseconds"))
    var latency: Double?

    @Flag(name: .customLong("no-autoconnect"), help: "Leave the JACK ports unconnected.")
    var noAutoconnect = false

    @Option(help: ArgumentHelp("Connect to the JACK ports whose name matches.", valueName: "regex"))
    var connect: String?

    @Option(help: "The level of the log on standard error: trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level = .error

    @Option(help: "The format of the log: text, or json for one object a line.")
    var logFormat: ProgramLog.Format = .text

    @Option(help: "What beats follow: internal, or midi for another machine's clock, through JACK.")
    var clock: ClockSource = .internal

    func validate() throws {
        if clock == .midi, let backend, backend != .jack {
            throw ValidationError("--clock midi needs JACK, and --backend is \(backend.rawValue)")
        }
        if let backend, device != nil, ![.portaudio, .snapcast].contains(backend) {
            throw ValidationError("--device names one of PortAudio or Snapcast, and --backend is \(backend.rawValue)")
        }
        if backend == .portaudio, namesServer {
            throw ValidationError("--device names a Snapcast server, and --backend is portaudio")
        }
        if noAutoconnect, connect != nil {
            throw ValidationError("--no-autoconnect and --connect contradict each other")
        }
        if let connect, connect.isEmpty || (try? Regex(connect)) == nil {
            throw ValidationError("--connect: \"\(connect)\" is no regular expression that names ports")
        }
        if let latency, !(0...10_000).contains(latency) { throw ValidationError("--latency must be from 0 to 10000") }
    }

    private var namesServer: Bool { device?.lowercased().hasPrefix("snapcast://") ?? false }

    /// Logs as is asked for.
    func beginLog() { ProgramLog.show(from: logLevel, as: logFormat) }

    /// Begins to log, and returns the output that is asked for.
    func begin() -> OutputSelection {
        beginLog()
        var selection = OutputSelection()
        selection.backend = backend ?? (device == nil ? nil : namesServer ? .snapcast : .portaudio)
        selection.device = device
        selection.latency = latency.map { $0 / 1000 }
        if noAutoconnect { selection.connection = .none }
        if let connect { selection.connection = .matching(connect) }
        return selection
    }
}

extension OutputBackend: ExpressibleByArgument {}
extension ClockSource: ExpressibleByArgument {}
extension ProgramLog.Format: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}
