import ArgumentParser
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation

/// `barline run`: a session, live.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Plays a session live.",
        discussion: """
            On a terminal, keys launch clips: the rows of letters are the scenes, shift or F1 … F8 launch a whole one.
            Elsewhere, actions of the performance script are read from standard input, one JSON object a line.
            """)

    @Argument(help: "The session file; without one, the built-in demo set is played.")
    var session: String?

    @Option(help: "The output: jack, portaudio or null. Default: the best there is.")
    var backend: OutputSelection.Backend?

    @Option(help: ArgumentHelp("PortAudio device: part of its name, or its number.", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("Latency asked of PortAudio.", valueName: "milliseconds"))
    var latency: Double?

    @Flag(name: .customLong("no-autoconnect"), help: "Leave the JACK ports unconnected.")
    var noAutoconnect = false

    @Option(help: ArgumentHelp("Connect to the JACK ports whose name matches.", valueName: "regex"))
    var connect: String?

    @Option(help: ArgumentHelp("Launch this scene, counted from 1, at the start.", valueName: "number"))
    var scene: Int?

    @Option(help: ArgumentHelp("Perform a script (JSON Lines).", valueName: "file"))
    var script: String?

    @Option(help: ArgumentHelp("Write what is done to a script that renders the same samples.", valueName: "file"))
    var record: String?

    @Option(help: ArgumentHelp("Write what happens, as JSON Lines.", valueName: "file"))
    var events: String?

    @Option(help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Double?

    @Flag(help: "Print what happens as JSON Lines.")
    var json = false

    @Option(help: ArgumentHelp("Port of the page.", valueName: "number"))
    var port: Int?

    @Flag(name: .customLong("no-browser"), help: "Don't open a browser.")
    var noBrowser = false

    func validate() throws {
        if noAutoconnect, connect != nil {
            throw ValidationError("--no-autoconnect and --connect contradict each other")
        }
        if let duration, !(duration > 0) { throw ValidationError("--duration must be above 0") }
        if let latency, !(0...10_000).contains(latency) { throw ValidationError("--latency must be from 0 to 10000") }
        if let scene, scene < 1 { throw ValidationError("--scene must be at least 1") }
    }

    func run() async throws {
        if port != nil { Terminal.complain("--port: this version serves no page; the set is played from the terminal") }
        var selection = OutputSelection()
        selection.backend = backend
        selection.device = device
        selection.latency = latency.map { $0 / 1000 }
        if noAutoconnect { selection.connection = .none }
        if let connect { selection.connection = .matching(connect) }
        let path = try session ?? DemoSession.cached()
        let performance = try script.map { path throws(SessionError) in try PerformanceScript(path: path) }
        let live = try await LivePerformance(
            sessionPath: path, selection: selection, script: performance ?? PerformanceScript(),
            firstScene: scene.map { $0 - 1 } ?? (session == nil && script == nil ? 0 : nil),
            files: LivePerformance.Files(record: record, events: events), duration: duration)
        let status = try live.run(view: chosenView)
        if status != 0 { throw ExitCode(status) }
    }

    private var chosenView: any LiveView {
        if json { return JSONView() }
        return Terminal.hasScreen && Terminal.hasKeyboard ? GridView() : PlainView()
    }
}

extension OutputSelection.Backend: ExpressibleByArgument {}
