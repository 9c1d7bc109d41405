import ArgumentParser
import BarlineEngine
import BarlineFiles
import BarlineHost
import BarlineSession
import BarlineTime
import Foundation

/// `barline play`: files one after the other, without a gap.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Plays files one after the other, without a gap.",
        discussion: """
            Lists (.m3u, .pls, .xspf, .cue) are read in their place. Of a folder all audio is played, with the folders in \
            it: by the tags for disc and track where all files have them, else by name. - is audio, or names a line \
            each, from standard input. Without files, the list of the last time is there again, paused.

            On a terminal, space plays and pauses, n and p go on and back, arrows seek and choose, enter plays what is \
            chosen, d takes it out, + and - change the volume, ? shows all keys. Elsewhere, actions of the performance \
            script are read from standard input, one JSON object a line.
            """)

    @Argument(help: "Audio files, folders, playlists, addresses of streams.", completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("Render to a file instead: .wav or .flac.", valueName: "file"), completion: .file())
    var output: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Overlap items.", valueName: "seconds"))
    var crossfade: Double = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Play items faster, or below 1 slower, at their own pitch.", valueName: "factor"))
    var speed: Double = 1

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Play items higher, or below 0 lower, at their own speed.", valueName: "semitones"))
    var transpose: Double = 0

    @Option(help: ArgumentHelp("Repeat: off, one or all.", valueName: "what"))
    var `repeat`: PlaylistModes.Repeat = .off

    @Flag(help: "Play in random order.")
    var shuffle = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Seed of the random order.", valueName: "number"))
    var seed: UInt64?

    @Option(help: "Make items equally loud by their tags: off, track, album or auto.")
    var loudness: LoudnessCorrection.Mode = .off

    @Flag(help: "With --loudness, measure files without tags of it or of their peak.")
    var measure = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Begin so far into the first item.", valueName: "seconds"))
    var start: Double = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End after so long; default: with the last item.", valueName: "seconds"))
    var duration: Double?

    @OptionGroup var events: EventOptions

    @OptionGroup var live: LiveOutputOptions
    @OptionGroup var limiting: LimiterOptions
    @OptionGroup var audio: AudioFileOptions
    @OptionGroup var varispeed: QualityOptions

    func validate() throws {
        if files.contains("-"), Terminal.hasKeyboard {
            throw ValidationError(
                "- plays what comes from standard input, which is a terminal: name files, or pipe something in,"
                    + " as in: cat song.flac | barline play -")
        }
        if files.isEmpty, output != nil { throw ValidationError("at least one file is needed for --output") }
        try events.file.validate(besides: output)
        guard start >= 0, start < 1e7 else { throw ValidationError("--start must be at least 0") }
        guard (0...PlaylistAction.longestCrossfade).contains(crossfade) else {
            throw ValidationError("--crossfade must be from 0 to \(Int(PlaylistAction.longestCrossfade)) seconds")
        }
        guard SongStretch.speedRange.contains(speed) else {
            throw ValidationError(
                "--speed must be from \(SongStretch.speedRange.lowerBound) to \(Int(SongStretch.speedRange.upperBound))"
            )
        }
        guard ClipSettings.transpositionRange.contains(transpose) else {
            throw ValidationError("--transpose must be from -24 to 24 semitones")
        }
        if files.isEmpty, speed != 1 || transpose != 0 {
            throw ValidationError("at least one file is needed for --speed and --transpose")
        }
        if let duration, !(duration > 0 && duration <= 360_000) {
            throw ValidationError("--duration must be above 0 and at most 360000 seconds")
        }
        if measure, loudness == .off { throw ValidationError("--measure needs --loudness") }
        try varispeed.validate(output: output)
        if seed != nil, !shuffle { throw ValidationError("--seed needs --shuffle") }
        if output != nil, `repeat` != .off, duration == nil {
            throw ValidationError("--repeat with --output needs --duration")
        }
    }

    /// The files as a session, in the working folder.
    private func document(_ items: [PlaylistItemDocument]) -> SessionDocument {
        var document = SessionDocument()
        document.name = "Playlist"
        document.limiter.isOn = limiting.limiter != .off
        document.playlist = items
        return document
    }

    private func listed(_ piped: PipedInput?) throws -> [PlaylistItemDocument] {
        let names = files.flatMap { $0 == "-" ? piped?.names ?? [] : [$0] }
        var items = try PlaylistSources.items(
            for: names, loudness: LoudnessCorrection(mode: loudness), measures: measure)
        if items.isEmpty { throw ValidationError("there is nothing in the list") }
        for index in items.indices { (items[index].speed, items[index].transpose) = (speed, transpose) }
        if start > 0, !shuffle, speed == 1, isBeyond(start, items[0]) {
            throw ValidationError("--start is beyond the end of the first item")
        }
        return items
    }

    /// Whether an item is known to end before `seconds` of it.
    private func isBeyond(_ seconds: Double, _ item: PlaylistItemDocument) -> Bool {
        guard !item.file.contains("://"), item.start == 0, item.end == nil,
            let reader = try? AudioFileReader(path: item.file), reader.isLengthKnown, reader.frameCount > 0
        else { return false }
        return seconds >= reader.sampleRate.seconds(frames: reader.frameCount)
    }

    private var opening: [ScriptAction] {
        var actions: [PlaylistAction] = []
        if crossfade > 0 { actions.append(.crossfade(crossfade)) }
        if `repeat` != .off { actions.append(.repeat(`repeat`)) }
        if shuffle { actions.append(.shuffle(true, seed: seed)) }
        if start > 0 { actions.append(.seek(start)) }
        return (actions + [.play]).map(ScriptAction.playlist)
    }

    func run() async throws {
        live.beginLog()
        // Audio from there is kept in a file for as long as it is played.
        let piped = try files.contains("-") ? PipedInput() : nil
        defer { withExtendedLifetime(piped) {} }
        if let output {
            try await render(to: output, try listed(piped))
            return
        }
        let restored = files.isEmpty ? try PlaylistStore.standard.load() : nil
        if files.isEmpty, restored?.items.isEmpty ?? true {
            throw ValidationError("name a file: there is no list of an earlier time")
        }
        var plan = SessionHost.Plan(document(try restored?.items ?? listed(piped)), path: "play")
        plan.restored = restored
        plan.document.playlistSettings.gain = restored?.gain ?? 0
        plan.reads = files
        plan.opening = restored == nil ? opening : []
        plan.duration = duration
        plan.clock = live.clock
        plan.end = .playlist
        let writing = LivePerformance.Writing(
            events: events.file.path, store: piped?.isAudio == true ? nil : .standard)
        let performance = try await LivePerformance(plan, selection: live.begin(), writing: writing)
        let status = try await performance.runApart(view: chosenLiveView(json: events.json, PlayView()))
        if status != 0 { throw ExitCode(status) }
    }

    /// Leaves out what can't be read, as playing does, and says so.
    private func playable(_ items: [PlaylistItemDocument]) throws -> [PlaylistItemDocument] {
        var playable: [PlaylistItemDocument] = []
        var problems: [AudioFileError] = []
        var isEmpty = true
        for item in items {
            do throws(AudioFileError) {
                if try AudioFileStream(path: item.file).frameCount > 0 {
                    isEmpty = false
                } else if item.file.contains("://") {
                    // A radio station would be written until the disk is full.
                    if duration == nil { throw .cannotOpen(path: item.file, reason: PlayCommand.withoutLength) }
                    isEmpty = false
                }
                playable.append(item)
            } catch {
                problems.append(error)
            }
        }
        if playable.isEmpty, let problem = problems.first { throw problem }
        for problem in problems { Terminal.report("\(problem); it is left out") }
        if isEmpty {
            throw SessionError.file(path: playable[0].file, reason: "there is nothing in the list to play")
        }
        return playable
    }

    private static let withoutLength =
        "how long it is is not known before it has ended; --duration says how much to write"

    private func render(to path: String, _ items: [PlaylistItemDocument]) async throws {
        let items = try playable(items)
        let list = document(items)
        let player = try await SessionPlayer(list, path: "play") { configuration in
            configuration.sampleRate = audio.rate
            configuration.limiter = limiting.settings(list, path: path, format: audio.format)
            configuration.varispeed = varispeed.quality
        }
        var script = PerformanceScript()
        script.entries = opening.map { ScriptEntry(time: .frame(.zero), action: $0) }
        let longest = duration ?? 360_000
        var render = try OfflineRender(
            player, script: script, frames: Int64((longest * audio.rate.hertz).rounded(.up)),
            blockFrames: audio.blockSize,
            output: OfflineRender.Output(
                path: path, format: audio.format, eventsPath: events.file.path, reads: files))
        render.endsWithPlaylist = duration == nil
        Interruption.await()
        var progress = ProgressBar("Rendering")
        defer { progress.end() }
        let total = player.playlist.player.items.compactMap(\.duration).reduce(0, +)
        let report = try render.run { fraction in
            progress.show(min(1, fraction * longest / max(0.001, duration ?? total)))
            if let status = Interruption.status { throw ExitCode(status) }
        }
        progress.end()
        for warning in report.warnings { Terminal.report(warning) }
        // As when it is played: nothing of the list could be.
        if report.frames == 0 {
            if player.playlistProblems.isEmpty { Terminal.report("\(items[0].file): there is nothing in it to play") }
            throw ExitCode(1)
        }
        let overs = OversReport(report, main: path, sampleRate: audio.rate)
        overs.report()
        let frames = report.frames
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

extension PlaylistModes.Repeat: ExpressibleByArgument {}
extension LoudnessCorrection.Mode: ExpressibleByArgument {}
