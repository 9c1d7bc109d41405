import ArgumentParser
import BarlineDemo
import BarlineHost
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation

/// `barline run`: a session, live.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Plays a session live.",
        discussion: """
            On a terminal, keys launch clips: the rows of letters are the scenes, shift or F1 … F8 launch a whole \
            one, arrows and enter reach the others, ? shows all keys. A page in the browser does the same and more; its \
            link is printed.

            Elsewhere, everything that the page can ask for is read from standard input, one JSON object a line: words of \
            the performance script, edits, undo, save. What can't be done is told on standard error; with --json every \
            line is answered on standard output.
            """)

    @Argument(
        help: "The session file, or the name under which it was saved; without one, the built-in demo set is played.",
        completion: .file(extensions: ["barline"]))
    var session: String?

    @OptionGroup var output: LiveOutputOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Launch this scene, counted from 1, at the start.", valueName: "number"))
    var scene: Int?

    @Option(
        help: ArgumentHelp("Perform a script (JSON Lines); - is standard input.", valueName: "file"),
        completion: .file())
    var script: String?

    @Option(
        help: ArgumentHelp("Record the performance as a script that renders the same samples.", valueName: "file"),
        completion: .file())
    var record: String?

    @Flag(help: "Record every track, output and input to a file of its own, beside the recordings of the page.")
    var recordTracks = false

    @OptionGroup var inputs: SignalOptions

    @OptionGroup var events: EventOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Double?

    @OptionGroup var page: PageOptions

    func validate() throws {
        if let duration, !(duration > 0) { throw ValidationError("--duration must be above 0") }
        try events.file.validate(besides: record, of: "--record")
        if let scene, scene < 1 { throw ValidationError("--scene must be at least 1") }
    }

    func run() async throws {
        let file = try SessionArgument(session ?? DemoSession.cached())
        var plan = SessionHost.Plan(file.document, path: file.path)
        if let scene, scene > file.document.rowCount {
            throw SessionError.unknown(path: file.path, key: "--scene", id: "\(scene)")
        }
        if let script { plan.script = try ScriptArgument.read(script) }
        plan.openingKey = "--scene"
        if let first = scene ?? (session == nil && script == nil ? 1 : nil) { plan.opening = [.launchScene(first - 1)] }
        plan.record = record
        plan.reads = inputs.files
        plan.recordsTracks = recordTracks
        plan.inputs = { [inputs] rate in try inputs.signals(at: rate) }
        plan.duration = duration
        plan.clock = output.clock
        plan.isEditable = true
        plan.isDemo = session == nil
        let live = try await LivePerformance(
            plan, selection: output.begin(), writing: LivePerformance.Writing(events: events.file.path))
        try page.serve(live, isQuiet: events.json)
        let status = try await live.runApart(view: chosenLiveView(json: events.json, GridView()))
        if status != 0 { throw ExitCode(status) }
    }
}
