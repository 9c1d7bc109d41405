import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// Renders a session and a script into files, faster than real time.
public struct OfflineRender {
    /// The files to write.
    public struct Output: Sendable {
        /// The main bus.
        public var path: String
        /// The format of the samples; `nil` for the container's own.
        public var format: SampleFormat?
        /// The events, as JSON Lines.
        public var eventsPath: String?
        /// A folder for every track, stem and bus, the metronome, the playlist and the pads where they sound, and what
        /// inputs give.
        public var stemsFolder: String?
        /// A folder for takes recorded into slots, each named after its clip's identifier.
        public var takesFolder: String?
        /// Files that are read besides the session's, the script's and those of inputs: none of them is written over.
        public var reads: [String]

        /// Creates an output.
        ///
        /// - Complexity: O(*n*) in the tracks, stems, pads and outputs of the document.
        public init(
            path: String, format: SampleFormat? = nil, eventsPath: String? = nil, stemsFolder: String? = nil,
            takesFolder: String? = nil, reads: [String] = []
        ) {
            self.path = path
            self.format = format
            self.eventsPath = eventsPath
            self.stemsFolder = stemsFolder
            self.takesFolder = takesFolder
            self.reads = reads
        }
    }

    /// The result of a render.
    public struct Report: Sendable {
        /// The number of frames written.
        public let frames: Int64
        /// Warnings, one line each.
        public let warnings: [String]
        /// Samples over full scale by file, the main one first; files without any are left out.
        public let overs: [FileOvers]
    }

    /// Samples over full scale in a file.
    public struct FileOvers: Sendable, Hashable {
        /// The file.
        public let path: String
        /// Whether they are clipped in the file; if not, they clip when the file is played as it is.
        public let isCutOff: Bool
        /// Their number, the first one, and their peak.
        public let overs: Overs
    }

    /// The audio of the session's inputs.
    public var inputs = OfflineInputs()
    /// Whether it ends with the playlist, even before the requested number of frames.
    public var endsWithPlaylist = false

    private static let prerollSeconds = 1.0
    private static let longestBlock = 1 << 20
    /// A cycle of a clip whose pitch is kept is rehearsed up to so many seconds.
    private static let longestCycle = 600.0
    let player: SessionPlayer
    let script: PerformanceScript
    private var edits: [PreparedEdit] = []
    private let lead: Int64
    private let frames: Int64
    private let blockFrames: Int
    let output: Output
    private let reads: ReadFiles

    /// Prepares a render of `frames` frames, in blocks of `blockFrames`, 1 to 1,048,576.
    ///
    /// - Throws: ``SessionError`` if the script refers to something that the session does not have, or the output is
    ///   among what is read.
    /// - Complexity: O(*n* log *n*) in the actions of the script.
    public init(
        _ player: SessionPlayer, script: PerformanceScript, frames: Int64, blockFrames: Int, output: Output
    ) throws(SessionError) {
        player.hasInputs.store(true, ordering: .relaxed)
        try player.check(script)
        // Of those from a file, every value was read.
        for (index, entry) in script.entries.enumerated() where entry.line == 0 {
            try entry.action.checkValues(file: script.path, key: "entries[\(index)]")
        }
        lead = script.beginning?.leadFrames(at: player.engine.configuration.sampleRate) ?? 0
        self.player = player
        self.script = script
        self.frames = frames
        self.blockFrames = min(max(1, blockFrames), OfflineRender.longestBlock)
        self.output = output
        reads = ReadFiles(
            of: player.document, at: player.path, script, and: [player.path, script.path] + output.reads)
        try check(reads)
    }

    /// Loads what the edits of the script need. To be called before ``run(progress:)`` if there are any.
    ///
    /// - Throws: ``SessionError`` if an edit can't be made.
    /// - Complexity: O(*n*) in the frames of the clips that the edits bring or change.
    public mutating func loadEdits() async throws(SessionError) { edits = try await player.prepareEdits(script) }

    /// Whether the metronome clicks at any time.
    var usesMetronome: Bool {
        func clicks(_ metronome: MetronomeDocument) -> Bool { metronome.isEnabled || metronome.countIn > 0 }
        return clicks(player.document.metronome)
            || script.entries.contains { entry in
                switch entry.action {
                case .metronome(let change): change.isOn == true
                case .session(let document, _): clicks(document.metronome)
                default: false
                }
            }
    }

    /// Renders. Where it ends with the playlist, of which nothing could be played, nothing is written.
    ///
    /// - Parameter progress: called with the fraction done, 0 … 1, once per block; an error that it throws cancels the
    ///   render, and nothing is written.
    /// - Returns: the result.
    /// - Throws: ``SessionError`` or `AudioFileError`.
    /// - Complexity: O(*n*) in the frames.
    public func run(progress: (Double) throws -> Void = { _ in }) throws -> Report {
        let rate = player.engine.configuration.sampleRate
        player.engine.launcher.waitsForClips = true
        if output.takesFolder != nil { player.writtenTakes.withLock { $0 = [] } }
        try inputs.check(player, script)
        let reads = reads.with(inputs.files)
        try check(reads)
        for folder in [output.stemsFolder, output.takesFolder] { try folder.map(RenderedFile.makeFolder) }
        try inputs.feed(player, from: FrameTime(lead))
        let sinks = try RenderSinks(
            player, output: output, sampleRate: rate, blockFrames: blockFrames, from: FrameTime(lead))
        var hasStrips = lead == 0
        if hasStrips { try sinks.openStrips(of: player, usesMetronome: usesMetronome) }
        let events = try output.eventsPath.map { try LineFile(path: $0) }
        var edits = edits[...]
        var schedule = RenderSchedule(script, at: rate, lead: lead, blockFrames: blockFrames)
        var warnings = inputs.warnings(player, script)
        let audibleFrom = recordsItself ? 0 : lead - rate.frames(seconds: prerollSeconds)
        var now: Int64 = 0
        // The audible part ends here; a limiter delays it by so much.
        var end = lead + frames
        var hasEndedWithPlaylist = false
        var nextCheck: Int64 = 0
        let latency = Int64(player.engine.outputLatency)
        while now < end + latency {
            try perform(&schedule, &edits, before: min(now + 1, end), at: now, &warnings)
            if now == lead, !hasStrips {
                hasStrips = true
                try check(reads)
                try sinks.openStrips(of: player, usesMetronome: usesMetronome)
            }
            let next = now < lead ? lead : now < end ? end : end + latency
            var count = blockLength(at: now, until: next, schedule)
            try perform(&schedule, &edits, before: min(now + Int64(count), end), at: now, &warnings)
            player.multitrack?.feedAndReadOn()
            player.playlist.player.feed()
            if now >= nextCheck {
                try checkFiles()
                nextCheck = now + rate.frames(seconds: 1)
            }
            if endsWithPlaylist, now < end, let left = player.playlist.player.framesToEnd {
                if left == 0 {
                    end = now
                    hasEndedWithPlaylist = true
                    continue
                }
                count = Int(min(Int64(count), left))
            }
            if now < lead {
                sinks.play(frames: count, isPreroll: now + Int64(count) <= audibleFrom)
            } else {
                try sinks.render(frames: count, isTail: now >= end, end: FrameTime(end))
            }
            // The end of a playlist is on the frame after its last one.
            try write(until: hasEndedWithPlaylist ? end + 1 : end, to: events)
            now += Int64(count)
            try progress(min(1, Double(now) / Double(lead + frames)))
        }
        if hasEndedWithPlaylist, latency == 0 {
            sinks.play(frames: 1)
            try write(until: end + 1, to: events)
        }
        try checkFiles()
        if hasEndedWithPlaylist, end == lead {
            return Report(frames: 0, warnings: player.playlistProblems, overs: [])
        }
        try sinks.finish()
        if let folder = output.takesFolder { try player.writeTakes(into: folder, beside: reads) }
        try sinks.finishInputs(until: FrameTime(end))
        try events?.finish()
        let waitingCount = schedule.waitingCount + player.waitingForBeats
        if waitingCount > 0, !player.engine.state.transport.isRolling {
            let what = waitingCount == 1 ? "action waits" : "actions wait"
            warnings.append(
                "\(script.path): \(waitingCount) \(what) for a beat or a bar, and the transport stands")
        }
        warnings += player.playlistProblems + player.bound.withLock { $0.notices.map(\.text) }
        let dropped = player.engine.droppedEventCount
        if dropped > 0 { warnings.append("\(dropped) events did not fit and are missing") }
        return Report(frames: max(0, end - lead), warnings: warnings, overs: sinks.overs)
    }

    /// Throws if a stem, or a clip that plays from its file, could not be read.
    private func checkFiles() throws {
        if let problem = (player.stemProblems + player.clipProblems).first { throw StemProblem(description: problem) }
    }

    /// Whether what sounds may be recorded, and be heard of a loop long after it.
    private var recordsItself: Bool {
        ([player.document] + edits.map(\.document)).contains { $0.inputs.contains { $0.from != nil } }
    }

    /// How long before what is written the sound is computed. Meters and whatever else remembers sound have it a while;
    /// what keeps a clip's pitch follows from all since the beginning of a cycle.
    private var prerollSeconds: Double {
        if lead == 0 { return 0 }
        let documents = [player.document] + edits.map(\.document)
        var tempos = documents.flatMap { [$0.tempo] + $0.scenes.compactMap(\.tempo) }
        for case .tempo(let bpm, _) in script.entries.map(\.action) { tempos.append(bpm) }
        // What is tapped is not known beforehand.
        let isTapped = script.entries.contains { $0.action == .tap }
        let slowest = isTapped ? Tempo.range.lowerBound : Tempo(clamping: tempos.min() ?? 0).beatsPerMinute
        let prepared = edits.flatMap { $0.content.clips.compactMap { try? $0.1.get() } }
        let own = player.clips.values.filter { $0.document.playback == .stretch }.compactMap { clip in
            clip.audio.map { OfflineRender.cycleSeconds(of: $0.samples, clip.beats, slowest) }
        }
        let edited = prepared.filter { $0.settings.playback == .stretch }.map {
            OfflineRender.cycleSeconds(of: $0.audio.samples, $0.settings.beats, slowest)
        }
        return OfflineRender.prerollSeconds + min(OfflineRender.longestCycle, (own + edited).max() ?? 0)
    }

    /// The seconds that a cycle of a clip takes at most.
    private static func cycleSeconds(of samples: SampleBuffer, _ beats: Double?, _ slowest: Double) -> Double {
        beats.map { Tempo.seconds(of: $0, at: slowest) }
            ?? samples.sampleRate.seconds(frames: Int64(samples.frameCount))
    }

    /// Writes what happened before the frame `end`, counted from the first one that is written; what comes after it is
    /// not heard.
    private func write(until end: Int64, to file: LineFile?) throws(SessionError) {
        for event in player.takeEvents() where event.frame.rawValue >= lead && event.frame.rawValue < end {
            let shifted = EngineEvent(frame: event.frame - lead, kind: event.kind)
            if let line = player.eventLine(shifted) { try file?.write(line) }
        }
    }

    private func perform(
        _ schedule: inout RenderSchedule, _ edits: inout ArraySlice<PreparedEdit>, before end: Int64, at now: Int64,
        _ warnings: inout [String]
    ) throws(SessionError) {
        schedule.follow(player.engine.transport.map)
        while let next = schedule.takeNext(before: end, at: now) {
            if next.entry.action.isEdit {
                if let edit = edits.popFirst() { try player.apply(edit) }
                continue
            }
            do throws(SessionError) {
                let warning = try player.perform(
                    next.entry.action, at: next.moment, source: script.path, key: "line \(next.entry.line)")
                if let warning { warnings.append(warning) }
            } catch {
                // What was for later and could not be done by then did nothing when it was recorded, either.
                guard script.beginning != nil, error.isRefusal else { throw error }
                warnings.append("\(error), and the line is left out")
                continue
            }
            if script.keeps(next.entry) { player.keep(next.entry.action) }
        }
    }

    /// The frames that may be rendered in one go. Those of stems and of the playlist depend on nothing but the
    /// timeline: a block ends where something is asked of them, and while a request waits for a deck, each frame is a
    /// block.
    private func blockLength(at now: Int64, until end: Int64, _ schedule: RenderSchedule) -> Int {
        let count = Int(min(Int64(blockFrames), end - now))
        let streaming = player.streaming
        if schedule.isAfterChange || !streaming.allSatisfy(\.isSettled) { return 1 }
        let next = schedule.nextBlock(before: now + Int64(count)).map { Int($0 - now) }
        let perFeed = streaming.reduce(count) { min($0, $1.framesPerFeed) }
        return max(1, min(count, perFeed, next ?? count))
    }
}

/// A stem or a clip that could not be read to its end.
private struct StemProblem: Error, CustomStringConvertible {
    let description: String
}

extension SessionError {
    /// Whether an action could not be done as things are, and no file is the reason.
    fileprivate var isRefusal: Bool {
        switch self {
        case .value, .duplicate, .unknown, .unsupported, .engine: true
        case .file, .audio: false
        }
    }
}
