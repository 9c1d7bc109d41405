import ArgumentParser
import BarlineSession
import BarlineTime
import Foundation

/// `barline render`: a session and a script into a file.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Renders a session offline, faster than real time.")

    @Argument(help: "The session file.")
    var session: String

    @Option(help: ArgumentHelp("The performance script (JSON Lines).", valueName: "file"))
    var script: String

    @Option(help: ArgumentHelp("Length of the render.", valueName: "seconds"))
    var duration: Double

    @Option(help: ArgumentHelp("The file to write: .wav (RF64 past 4 GiB) or .flac.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("Write what happened, as JSON Lines.", valueName: "file"))
    var events: String?

    @Option(help: ArgumentHelp("Write every track and every bus to a folder too.", valueName: "folder"))
    var stemsOut: String?

    @Flag(help: "Report as JSON.")
    var json = false

    @OptionGroup var limiting: LimiterOptions
    @OptionGroup var audio: AudioFileOptions

    func validate() throws {
        guard duration > 0, duration <= 360_000 else {
            throw ValidationError("--duration must be above 0 and at most 360000 seconds")
        }
    }

    func run() async throws {
        let document = try SessionDocument(path: session)
        let performance = try PerformanceScript(path: script)
        let player = try await SessionPlayer(document, path: session) { configuration in
            configuration.sampleRate = audio.rate
            configuration.limiter = limiting.settings(document, path: output, format: audio.format)
            // Commands and events of one block must fit, whatever its length.
            configuration.eventCapacity = 1 << 18
            configuration.commandCapacity = max(configuration.commandCapacity, performance.entries.count + 1024)
        }
        let frames = audio.rate.frames(seconds: duration)
        let render = try OfflineRender(
            player, script: performance, frames: frames, blockFrames: audio.blockSize,
            output: OfflineRender.Output(
                path: output, format: audio.format, eventsPath: events, stemsFolder: stemsOut))
        try RenderReport(path: output, duration: duration, audio: audio, json: json).run(player, render)
    }
}
