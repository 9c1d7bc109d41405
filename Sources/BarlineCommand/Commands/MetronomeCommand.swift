import ArgumentParser
import BarlineEngine
import BarlineFiles
import BarlineHost
import BarlineSession
import BarlineTime
import Foundation

/// `barline metronome`: the click, live or into a file.
struct MetronomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metronome", abstract: "Clicks, live or into a file.",
        discussion: """
            The first click is on frame 0. A pattern has one character a pulse: X an accent, x a beat, . silence. A tempo \
            map has the words of the performance script, one action a line: "tempo" and "timeSignature" with "at", \
            "frame", "beat" or "bar".
            """)

    @OptionGroup(title: "The click") var click: ClickOptions

    @OptionGroup(title: "Speed trainer") var trainer: TrainerOptions

    @Option(
        help: ArgumentHelp("Changes of tempo and metre (JSON Lines); - is standard input.", valueName: "file"),
        completion: .file())
    var tempoMap: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long; needed for a file.", valueName: "seconds"))
    var duration: Double?

    @Option(
        help: ArgumentHelp("Write a file, .wav or .flac, and play nothing.", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var events: EventFileOptions

    @Flag(help: "Report as JSON; live, print events as JSON Lines.")
    var json = false

    @OptionGroup var limiting: LimiterOptions

    @OptionGroup(title: "File") var audio: AudioFileOptions

    @OptionGroup(title: "Live") var live: LiveOutputOptions

    func validate() throws {
        try events.validate(besides: output)
        if output != nil, duration == nil { throw ValidationError("--output needs --duration") }
        if let duration, !(duration > 0 && duration <= 360_000) {
            throw ValidationError("--duration must be above 0 and at most 360000 seconds")
        }
        if tempoMap != nil, trainer.toBpm != nil {
            throw ValidationError("--tempo-map and --to-bpm contradict each other")
        }
    }

    func run() async throws {
        live.beginLog()
        if let output { return try await write(to: output) }
        let status = try await play()
        if status != 0 { throw ExitCode(status) }
    }

    private func play() async throws -> Int32 {
        var document = click.document
        // In a set another click would do; here it is what was asked for.
        if let sound = document.metronome.file { _ = try AudioFileStream(path: sound) }
        document.limiter.isOn = limiting.limiter != .off
        var plan = SessionHost.Plan(document, path: "metronome")
        plan.script = try tempoScript
        plan.entries = trainerEntries
        plan.opening = [.transport(isRolling: true)]
        plan.duration = duration
        plan.clock = live.clock
        let performance = try await LivePerformance(
            plan, selection: live.begin(), writing: LivePerformance.Writing(events: events.path))
        return try await performance.runApart(view: chosenLiveView(json: json, BeatView()))
    }

    private func write(to path: String) async throws {
        var script = try tempoScript
        script.entries.insert(ScriptEntry(time: .frame(.zero), action: .transport(isRolling: true)), at: 0)
        script.entries += trainerEntries(audio.rate)
        let player = try await SessionPlayer(click.document, path: "metronome") { configuration in
            configuration.sampleRate = audio.rate
            configuration.limiter = limiting.settings(click.document, path: path, format: audio.format)
            configuration.eventCapacity = 1 << 18
            configuration.commandCapacity = max(configuration.commandCapacity, script.entries.count + 1024)
        }
        let render = try OfflineRender(
            player, script: script, frames: audio.rate.frames(seconds: duration ?? 0), blockFrames: audio.blockSize,
            output: OfflineRender.Output(path: path, format: audio.format, eventsPath: events.path))
        try RenderReport(path: path, duration: duration ?? 0, audio: audio, json: json).run(player, render)
    }

    /// The tempo map, which must be nothing else.
    private var tempoScript: PerformanceScript {
        get throws {
            guard let tempoMap else { return PerformanceScript() }
            let script = try ScriptArgument.read(tempoMap)
            for entry in script.entries {
                switch entry.action {
                case .tempo, .timeSignature: break
                default:
                    throw SessionError.unsupported(
                        path: script.path, key: "line \(entry.line)",
                        what: "a tempo map has \"tempo\" and \"timeSignature\" only")
                }
            }
            return script
        }
    }

    private var trainerEntries: @Sendable (SampleRate) -> [ScriptEntry] {
        let trainer = trainer.trainer(from: click.bpm)
        let (timeSignature, countIn) = (click.timeSignature, click.countIn)
        return { rate in
            trainer?.entries(timeSignature: timeSignature, countIn: countIn, sampleRate: rate) ?? []
        }
    }
}
