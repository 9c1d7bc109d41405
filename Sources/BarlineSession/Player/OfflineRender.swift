import BarlineEngine
import BarlineFiles
import BarlineTime
import Foundation

/// Plays a session and a script into files, as fast as it goes.
public struct OfflineRender {
    /// What is written where.
    public struct Output: Sendable {
        /// The main bus.
        public var path: String
        /// The format of the samples; `nil` for the container's own.
        public var format: SampleFormat?
        /// The events, as JSON Lines.
        public var eventsPath: String?
        /// A folder for every track, the metronome where it clicks, and every bus.
        public var stemsFolder: String?

        /// Writes the main bus only.
        public init(path: String, format: SampleFormat? = nil, eventsPath: String? = nil, stemsFolder: String? = nil) {
            self.path = path
            self.format = format
            self.eventsPath = eventsPath
            self.stemsFolder = stemsFolder
        }
    }

    /// What came of a render.
    public struct Report: Sendable {
        /// Frames that were written.
        public let frames: Int64
        /// What the user should know, one line each.
        public let warnings: [String]
        /// What was over full scale in the files, the main one first; files without are left out.
        public let overs: [FileOvers]
    }

    /// Samples over full scale in a file.
    public struct FileOvers: Sendable, Hashable {
        /// The file.
        public let path: String
        /// Whether such samples are lost there; where not, they are as soon as something plays the file as it is.
        public let isCutOff: Bool
        /// How many, where the first one is, and how high they go.
        public let overs: Overs
    }

    /// Whether it ends with the playlist, however many frames are asked for.
    public var endsWithPlaylist = false

    private let player: SessionPlayer
    private let script: PerformanceScript
    private let frames: Int64
    private let blockFrames: Int
    private let output: Output

    /// Prepares a render of `frames` frames.
    ///
    /// - Throws: ``SessionError`` where the script names what the session does not have.
    public init(
        _ player: SessionPlayer, script: PerformanceScript, frames: Int64, blockFrames: Int, output: Output
    ) throws(SessionError) {
        for entry in script.entries {
            try player.check(entry.action, source: script.path, key: "line \(entry.line)")
        }
        self.player = player
        self.script = script
        self.frames = frames
        self.blockFrames = blockFrames
        self.output = output
    }

    /// Whether the metronome clicks at any time.
    private var usesMetronome: Bool {
        let metronome = player.document.metronome
        return metronome.isEnabled || metronome.countIn > 0
            || script.entries.contains { entry in
                if case .metronome(let change) = entry.action { return change.isOn == true }
                return false
            }
    }

    /// Renders.
    ///
    /// - Parameter progress: is told the fraction done, 0 … 1, once a block; what it throws ends the render, and
    ///   nothing is written.
    /// - Returns: what came of it.
    /// - Throws: ``SessionError`` or `AudioFileError`.
    public func run(progress: (Double) throws -> Void = { _ in }) throws -> Report {
        let rate = player.engine.configuration.sampleRate
        let sinks = try RenderSinks(
            player, output: output, sampleRate: rate, blockFrames: blockFrames,
            usesMetronome: usesMetronome)
        let events = try output.eventsPath.map { try LineFile(path: $0) }
        var schedule = script.schedule(at: rate)[...]
        var warnings: [String] = []
        var now: Int64 = 0
        // What is heard ends here; a limiter gives it away so much later.
        var end = frames
        var hasEndedWithPlaylist = false
        let latency = Int64(player.engine.outputLatency)
        while now < end + latency {
            try perform(&schedule, before: min(now + 1, end), &warnings)
            var count = blockLength(at: now, until: now < end ? end : end + latency, schedule)
            try perform(&schedule, before: min(now + Int64(count), end), &warnings)
            player.multitrack?.feed()
            player.playlist.player.feed()
            if let problem = player.stemProblems.first { throw StemProblem(description: problem) }
            if endsWithPlaylist, now < end, let left = player.playlist.player.framesToEnd {
                if left == 0 {
                    end = now
                    hasEndedWithPlaylist = true
                    continue
                }
                count = Int(min(Int64(count), left))
            }
            try sinks.render(frames: count, isTail: now >= end)
            // The end of a playlist is on the frame after its last one.
            try write(until: hasEndedWithPlaylist ? end + 1 : end, to: events)
            now += Int64(count)
            try progress(min(1, Double(now) / Double(frames)))
        }
        if hasEndedWithPlaylist, latency == 0 {
            sinks.play(frames: 1)
            try write(until: end + 1, to: events)
        }
        try sinks.finish()
        try events?.finish()
        let dropped = player.engine.droppedEventCount
        if dropped > 0 { warnings.append("\(dropped) events did not fit and are missing") }
        return Report(frames: end, warnings: warnings, overs: sinks.overs)
    }

    /// Writes what happened before the frame `end`; what comes after it is not heard.
    private func write(until end: Int64, to file: LineFile?) throws(SessionError) {
        for event in player.takeEvents() where event.frame.rawValue < end {
            if let line = player.eventLine(event) { try file?.write(line) }
        }
    }

    private func perform(
        _ schedule: inout ArraySlice<(frame: FrameTime, entry: ScriptEntry)>, before end: Int64,
        _ warnings: inout [String]
    ) throws(SessionError) {
        while let next = schedule.first, next.frame.rawValue < end {
            schedule.removeFirst()
            let warning = try player.perform(
                next.entry.action, at: next.frame, source: script.path, key: "line \(next.entry.line)")
            if let warning { warnings.append(warning) }
        }
    }

    /// The frames that may be rendered in one go. Those of stems and of the playlist depend on nothing but the timeline: a block ends where
    /// something is asked of them, and while a request waits for a deck, each frame is a block.
    private func blockLength(
        at now: Int64, until end: Int64, _ schedule: ArraySlice<(frame: FrameTime, entry: ScriptEntry)>
    ) -> Int {
        let count = Int(min(Int64(blockFrames), end - now))
        if player.multitrack?.isSettled == false || !player.playlist.player.isSettled { return 1 }
        let next = schedule.first { $0.entry.action.isFed }.map { Int($0.frame.rawValue - now) }
        let perFeed = min(player.multitrack?.framesPerFeed ?? count, player.playlist.player.framesPerFeed)
        return max(1, min(count, perFeed, next ?? count))
    }
}

/// A stem that could not be read to its end.
private struct StemProblem: Error, CustomStringConvertible {
    let description: String
}

extension ScriptAction {
    /// Whether it needs audio from a feed.
    fileprivate var isFed: Bool {
        switch self {
        case .stems, .playlist: true
        default: false
        }
    }
}
