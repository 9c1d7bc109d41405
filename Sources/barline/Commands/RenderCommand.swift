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

    @OptionGroup var audio: AudioFileOptions

    func validate() throws {
        guard duration > 0, duration <= 360_000 else {
            throw ValidationError("--duration must be above 0 and at most 360000 seconds")
        }
    }

    func run() async throws {
        let started = Date()
        let document = try SessionDocument(path: session)
        let performance = try PerformanceScript(path: script)
        let player = try await SessionPlayer(document, path: session) { configuration in
            configuration.sampleRate = audio.rate
            // Commands and events of one block must fit, whatever its length.
            configuration.eventCapacity = 1 << 18
            configuration.commandCapacity = max(configuration.commandCapacity, performance.entries.count + 1024)
        }
        for warning in player.warnings { Terminal.complain(warning) }
        let frames = audio.rate.frames(seconds: duration)
        let render = try OfflineRender(
            player, script: performance, frames: frames, blockFrames: audio.blockSize,
            output: OfflineRender.Output(
                path: output, format: audio.format, eventsPath: events, stemsFolder: stemsOut))
        Interruption.await()
        var progress = ProgressBar("Rendering")
        let warnings = try render.run { fraction in
            progress.show(fraction)
            if let status = Interruption.status { throw ExitCode(status) }
        }
        for warning in warnings { Terminal.complain(warning) }
        report(frames: frames, took: -started.timeIntervalSinceNow)
    }

    private func report(frames: Int64, took seconds: Double) {
        if json {
            JSONOutput.print([
                "file": .string(output), "frames": .number(Double(frames)), "sampleRate": .number(audio.sampleRate),
                "duration": .number(duration), "timesRealTime": .number((duration / seconds * 10).rounded() / 10),
            ])
        } else {
            print("\(output): \(frames) frames, \(Int(duration / seconds)) times real time")
        }
    }
}
