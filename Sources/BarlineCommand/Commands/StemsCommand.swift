import ArgumentParser
import BarlineEngine
import BarlineFiles
import BarlineHost
import BarlineSession
import BarlineTime
import Foundation

/// `barline stems`: files that are played together, with a mixer.
struct StemsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stems", abstract: "Plays stems in step, with a mixer.",
        discussion: """
            All stems start on one frame and stream from disk. On a terminal, space plays and pauses, arrows seek and \
            choose a stem, + and - move its fader, m mutes and s solos it, ? shows all keys. Elsewhere, actions of the \
            performance script are read from standard input, one JSON object a line; a stem's id is its file's name \
            without its ending.
            """)

    @Argument(help: "The audio files.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("Render to a file instead: .wav or .flac.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("With --output, write every stem apart too.", valueName: "folder"), completion: .directory)
    var stemsOut: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Begin there.", valueName: "seconds"))
    var start: Double = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End after so long; default: with the last stem.", valueName: "seconds"))
    var duration: Double?

    @Option(help: ArgumentHelp("Play a region over and over: its start and end.", valueName: "start-end"))
    var loop: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Fader of a stem; once for each, in their order.", valueName: "dB"))
    var gain: [Double] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "How much higher, or below 0 lower, a stem sounds; once for each, in their order.", valueName: "semitones"))
    var transpose: [Double] = []

    @OptionGroup var events: EventOptions

    @OptionGroup var live: LiveOutputOptions
    @OptionGroup var limiting: LimiterOptions
    @OptionGroup var audio: AudioFileOptions
    @OptionGroup var varispeed: QualityOptions

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("at least one file is needed") }
        guard files.count <= 128 else { throw ValidationError("up to 128 stems can be played") }
        guard start >= 0, start < 1e7 else { throw ValidationError("--start must be at least 0") }
        if let duration, !(duration > 0 && duration <= 360_000) {
            throw ValidationError("--duration must be above 0 and at most 360000 seconds")
        }
        guard gain.count <= files.count else { throw ValidationError("--gain has more values than there are files") }
        guard gain.allSatisfy({ $0 <= 60 }) else { throw ValidationError("--gain must be at most 60 dB") }
        guard transpose.count <= files.count else {
            throw ValidationError("--transpose has more values than there are files")
        }
        guard transpose.allSatisfy(ClipSettings.transpositionRange.contains) else {
            throw ValidationError("--transpose must be from -24 to 24 semitones")
        }
        if loop != nil, region == nil {
            throw ValidationError("--loop takes seconds like 10-20.5, at least 0.05 apart")
        }
        try varispeed.validate(output: output)
        if output == nil, stemsOut != nil { throw ValidationError("--stems-out needs --output") }
        if output != nil, loop != nil, duration == nil {
            throw ValidationError("--loop with --output needs --duration")
        }
    }

    private var region: (start: Double, end: Double)? {
        guard let parts = loop?.split(separator: "-").map({ Double($0) }), parts.count == 2,
            let start = parts[0], let end = parts[1], start >= 0, end - start >= 0.05, end < 1e7
        else { return nil }
        return (start, end)
    }

    /// The stems as a session, in the working folder.
    private var document: SessionDocument {
        var document = SessionDocument()
        document.name = "Stems"
        document.limiter.isOn = limiting.limiter != .off
        for (index, file) in files.enumerated() {
            let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            var id = name
            var number = 2
            while document.stems.contains(where: { $0.id == id }) {
                id = "\(name) \(number)"
                number += 1
            }
            var stem = StemDocument(id: id, name: id, file: file)
            if index < gain.count { stem.gain = gain[index] }
            if index < transpose.count { stem.transpose = transpose[index] }
            document.stems.append(stem)
        }
        return document
    }

    private var opening: [ScriptAction] {
        var actions: [ScriptAction] = []
        if let region { actions.append(.stems(.loop(start: region.start, end: region.end))) }
        if start > 0 { actions.append(.stems(.seek(start))) }
        return actions + [.stems(.play)]
    }

    func run() async throws {
        live.beginLog()
        // Reported by name here, rather than as a place in a session that nobody has written.
        var longest = 0.0
        for file in files {
            let stream = try AudioFileStream(path: file)
            let length = stream.sampleRate.seconds(frames: stream.frameCount)
            longest = max(longest, length > 0 ? length : .infinity)
        }
        if let region, region.start >= longest { throw ValidationError("--loop is beyond the end of the stems") }
        if start >= longest { throw ValidationError("--start is beyond the end of the stems") }
        if let output {
            try await render(to: output)
            return
        }
        var plan = SessionHost.Plan(document, path: "stems")
        plan.opening = opening
        plan.duration = duration
        plan.clock = live.clock
        plan.end = .stems
        let performance = try await LivePerformance(
            plan, selection: live.begin(), writing: LivePerformance.Writing(events: events.file.path))
        let status = try await performance.runApart(view: chosenLiveView(json: events.json, StemsView()))
        if status != 0 { throw ExitCode(status) }
    }

    private func render(to path: String) async throws {
        var bar = ProgressBar("Opening stems")
        defer { bar.end() }
        let player = try await SessionPlayer(document, path: "stems") { configuration in
            configuration.sampleRate = audio.rate
            configuration.varispeed = varispeed.quality
            configuration.limiter = limiting.settings(document, path: path, format: audio.format)
        } progress: {
            bar.show($0)
        }
        bar.end()
        let seconds = min(duration ?? max(0, (player.multitrack?.duration ?? 0) - start), 360_000)
        let frames = Int64((seconds * audio.rate.hertz).rounded(.up))
        guard frames > 0 else {
            if start > 0 { throw ValidationError("--start is beyond the end of the stems") }
            throw SessionError.file(path: files[0], reason: "there is nothing in the stems")
        }
        var script = PerformanceScript()
        script.entries = opening.map { ScriptEntry(time: .frame(.zero), action: $0) }
        let render = try OfflineRender(
            player, script: script, frames: frames, blockFrames: audio.blockSize,
            output: OfflineRender.Output(
                path: path, format: audio.format, eventsPath: events.file.path, stemsFolder: stemsOut))
        Interruption.await()
        var progress = ProgressBar("Rendering")
        defer { progress.end() }
        let report = try render.run { fraction in
            progress.show(fraction)
            if let status = Interruption.status { throw ExitCode(status) }
        }
        progress.end()
        for warning in report.warnings { Terminal.report(warning) }
        let overs = OversReport(report, main: path, sampleRate: audio.rate)
        overs.report()
        if events.json {
            let facts: [String: JSONValue] = [
                "file": .string(path), "frames": .number(Double(frames)), "sampleRate": .number(audio.sampleRate),
            ]
            JSONOutput.print(facts.merging(overs.json) { $1 })
        } else {
            Terminal.printLine("\(path): \(frames) frames")
        }
    }
}
