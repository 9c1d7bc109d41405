import ArgumentParser
import BarlineFiles
import BarlineSession
import BarlineTime
import Foundation

/// `barline render`: a session and a script into a file.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Renders a session offline, faster than real time.",
        usage: """
            barline render [<session>] --script <file>
              [--duration <seconds>] --output <file> [<options>]
            """)

    @Argument(
        help: """
            The session file, or the name under which it was saved; a script that was recorded has its own, and does without.
            """,
        completion: .file(extensions: ["barline"]))
    var session: String?

    @Option(
        help: ArgumentHelp("The performance script (JSON Lines); - is standard input.", valueName: "file"),
        completion: .file())
    var script: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the render; default: that of a recorded script.", valueName: "seconds"))
    var duration: Double?

    @Option(
        help: ArgumentHelp("The file to write: .wav (RF64 past 4 GiB) or .flac.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup var events: EventFileOptions

    @Option(
        help: ArgumentHelp(
            "Write every track, every other strip and every output to a folder too.", valueName: "folder"),
        completion: .directory)
    var stemsOut: String?

    @OptionGroup var inputs: InputOptions

    @OptionGroup var report: ReportOptions

    @OptionGroup var limiting: LimiterOptions
    @OptionGroup var audio: AudioFileOptions
    @OptionGroup var varispeed: QualityOptions

    func validate() throws {
        if let duration, !(duration > 0 && duration <= 360_000) {
            throw ValidationError("--duration must be above 0 and at most 360000 seconds")
        }
        try events.validate(besides: output)
    }

    func run() async throws {
        let path = session.map(SessionLibrary.standard.path(ofNamed:)) ?? script
        let performance = try ScriptArgument.read(script).located(beside: path)
        let beginning = performance.beginning
        guard session != nil || beginning != nil else {
            throw ValidationError("a session file is needed: \(script) does not begin with one")
        }
        var audio = audio
        if let beginning { audio.useByDefault(beginning.sampleRate) }
        let rate = audio.rate
        let recorded = beginning?.frames.map {
            rate.frames(seconds: (beginning?.sampleRate ?? rate).seconds(frames: $0))
        }
        guard let frames = duration.map({ rate.frames(seconds: $0) }) ?? recorded else {
            throw ValidationError("--duration is needed: \(script) does not say how long it is")
        }
        guard frames > 0 || duration == nil else { throw ValidationError("--duration is less than a frame") }
        let document = try beginning?.session ?? SessionArgument(path).document
        let player = try await SessionPlayer(
            document, path: path, policy: beginning == nil ? .strict : .lenient,
            loader: performance.changesClips ? AudioClipLoader() : .rendering
        ) { configuration in
            configuration.sampleRate = rate
            configuration.varispeed = varispeed.quality
            configuration.limiter = limiting.settings(document, path: output, format: audio.format)
            // Commands and events of one block must fit, whatever its length.
            configuration.eventCapacity = 1 << 18
            configuration.commandCapacity = max(configuration.commandCapacity, performance.entries.count + 1024)
            // What is edited has as much room as it had when it was recorded.
            if beginning != nil { configuration.reserveForEditing() }
        }
        var render = try OfflineRender(
            player, script: performance, frames: frames, blockFrames: audio.blockSize,
            output: OfflineRender.Output(
                path: output, format: audio.format, eventsPath: events.path, stemsFolder: stemsOut,
                takesFolder: inputs.takesOut))
        render.inputs = try inputs.offline(at: rate)
        try await render.loadEdits()
        try RenderReport(path: output, duration: rate.seconds(frames: frames), audio: audio, json: report.json)
            .run(player, render)
    }
}
