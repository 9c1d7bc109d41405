import BarlineAnalysis
import BarlineEngine
import BarlineOutputs
import BarlineSession
import BarlineTime
import Foundation

/// A session that plays on an output until it is ended.
final class LivePerformance {
    /// What is written along the way.
    struct Files {
        var record: String?
        var events: String?
    }

    let player: SessionPlayer
    let supervisor: OutputSupervisor
    /// Loudness of the main bus over the last 3 s, in LUFS.
    private(set) var loudness = -Double.infinity

    private let isChosenForUser: Bool
    private var schedule: ArraySlice<(frame: FrameTime, entry: ScriptEntry)>
    private let script: PerformanceScript
    private let files: Files
    private let duration: Double?
    private let meter: LoudnessMeter?
    private let tap = TapBuffer(frames: 1 << 16)
    private var shouldEnd = false
    /// What the user should know of what was done before there was a view.
    private let unsaid: [String]

    init(
        sessionPath: String, selection: OutputSelection, script: PerformanceScript, firstScene: Int?, files: Files,
        duration: Double?
    ) async throws {
        let document = try SessionDocument(path: sessionPath)
        let device = try selection.open()
        isChosenForUser = selection.backend == nil
        // A device that is lost is waited for: another backend would take the sound elsewhere.
        var reopened = selection
        reopened.backend = device.format.backend
        player = try await SessionPlayer(document, path: sessionPath, policy: .lenient) { configuration in
            configuration.sampleRate = device.format.sampleRate
            configuration.tapFrames = 1 << 17
        }
        for entry in script.entries {
            try player.check(entry.action, source: script.path, key: "line \(entry.line)")
        }
        self.script = script
        self.files = files
        self.duration = duration
        schedule = script.schedule(at: device.format.sampleRate)[...]
        meter = LoudnessMeter(sampleRate: device.format.sampleRate)
        if files.record != nil { player.startRecording() }
        // What is due at the start is there before the first block asks for it.
        unsaid = LivePerformance.feed(
            &schedule, before: FrameTime(2 * Int64(device.format.sampleRate.hertz)), script, player)
        if let firstScene { try player.perform(.launchScene(firstScene), source: sessionPath, key: "--scene") }
        supervisor = try OutputSupervisor(
            device, engine: player.engine, busNames: document.outputs, reopenWith: reopened.open)
    }

    /// Plays until the duration is over, the user ends it or a signal comes; returns the exit status.
    func run(view: any LiveView) throws -> Int32 {
        Interruption.await()
        view.begin(self)
        defer { view.end() }
        for warning in player.warnings + unsaid { view.tell(warning) }
        if isChosenForUser, supervisor.format.backend == .null {
            view.tell(
                "no sound server or device was found: playing to the clock, which is not heard. Start JACK or"
                    + " PipeWire to hear it, or write a file with \"barline render\"")
        }
        let log = try files.events.map { path throws(SessionError) in try LineFile(path: path) }
        while !shouldEnd, Interruption.status == nil {
            try step(view, log)
            Thread.sleep(forTimeInterval: 0.03)
        }
        try player.engine.stopAllNow()
        Thread.sleep(forTimeInterval: 0.05)
        supervisor.stop()
        try finish(log)
        return Interruption.status ?? 0
    }

    private func step(_ view: any LiveView, _ log: LineFile?) throws {
        let state = player.engine.state
        let horizon = state.frame + Int64(2 * state.sampleRate.hertz)
        for message in LivePerformance.feed(&schedule, before: horizon, script, player) { view.tell(message) }
        measureLoudness()
        let events = player.takeEvents()
        if let log {
            for event in events { if let line = player.eventLine(event) { try log.write(line) } }
        }
        view.update(self, events: events, state: state)
        if let duration, state.sampleRate.seconds(frames: state.frame.rawValue) >= duration { shouldEnd = true }
    }

    /// Sends the actions that are due before `horizon`, and returns what the user should know.
    private static func feed(
        _ schedule: inout ArraySlice<(frame: FrameTime, entry: ScriptEntry)>, before horizon: FrameTime,
        _ script: PerformanceScript, _ player: SessionPlayer
    ) -> [String] {
        var messages: [String] = []
        while let next = schedule.first, next.frame < horizon {
            schedule.removeFirst()
            do throws(SessionError) {
                let warning = try player.perform(
                    next.entry.action, at: next.frame, source: script.path, key: "line \(next.entry.line)")
                if let warning { messages.append(warning) }
            } catch {
                messages.append("\(error)")
            }
        }
        return messages
    }

    private func measureLoudness() {
        guard let meter else { return }
        while true {
            let count = player.engine.readTap(left: tap.left, right: tap.right, frames: tap.frames)
            if count == 0 { break }
            meter.add(left: tap.left, right: tap.right, frames: count)
        }
        loudness = meter.shortTerm
    }

    private func finish(_ log: LineFile?) throws {
        for event in player.takeEvents() {
            if let line = player.eventLine(event) { try log?.write(line) }
        }
        try log?.finish()
        guard let record = files.record else { return }
        let file = try LineFile(path: record)
        for (frame, entry) in player.recordedScript.schedule(at: player.engine.configuration.sampleRate) {
            try file.write(PerformanceScript.line(entry.action, at: frame))
        }
        try file.finish()
    }

    // MARK: What a view asks for

    /// Performs an action now; what is wrong with it is told to the user.
    func perform(_ action: ScriptAction, at frame: FrameTime? = nil, _ view: any LiveView) {
        do throws(SessionError) {
            if let warning = try player.perform(action, at: frame) { view.tell(warning) }
        } catch {
            view.tell("\(error)")
        }
    }

    /// Ends the performance.
    func end() { shouldEnd = true }
}

/// Memory for what is read from the engine's tap.
final class TapBuffer {
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>
    let frames: Int

    init(frames: Int) {
        self.frames = frames
        left = .allocate(capacity: frames)
        right = .allocate(capacity: frames)
    }

    deinit {
        left.deallocate()
        right.deallocate()
    }
}
