import BarlineEngine
import BarlineTime
import Foundation

/// What was done since everything was last at rest, and the session as it was then: enough to play it again.
///
/// An action without a frame gets the one on which the engine took it, which an event reports later. A history that
/// nobody holds begins anew whenever nothing sounds, so that a recording needs no more of the past than is heard in it.
struct PerformanceHistory {
    /// The frame from which on everything is known.
    private(set) var start = FrameTime.zero
    /// The session at that frame, and the folder that its relative paths start at.
    private(set) var session: SessionDocument
    private(set) var folder: URL
    /// The rate that frames are counted at.
    private(set) var sampleRate: SampleRate
    /// The frame at which the recording that was asked for with ``SessionPlayer/startRecording()`` began.
    var since: FrameTime?
    /// How many recordings need what is in it.
    var holds = 0

    private var steps: [Step] = []
    private var waiting: [CommandID: Step] = [:]
    /// What was reported of commands that nobody has added yet.
    private var taken: [CommandID: Taking] = [:]
    private var lastCommand = -1
    /// What has come since the journal of a recording took it the last time; `nil` where there is none.
    private var unwritten: [Step]?
    private var compactsAt = PerformanceHistory.compactedCount

    /// One thing that was done.
    private struct Step {
        var entry: ScriptEntry
        /// The command that it was, or the last one before it: what is on one frame is in this order.
        let order: Int
        /// What paths of a session start at.
        let folder: URL

        var frame: FrameTime { entry.time.frame(at: .standard) }
    }

    /// When the engine took a command, and how late that was.
    private struct Taking {
        let frame: FrameTime
        var late: Int64 = 0
    }

    /// How long what fades out is given, in seconds, before nothing counts as sounding.
    static let quietSeconds = 0.02
    /// For how long a tap may be the beginning of a tempo, in seconds: the next one, and those after it, need it.
    static let tapSeconds = 3.0
    /// Steps from which on those that have no effect any more are left out.
    private static let compactedCount = 4096
    /// What was reported of commands that nobody asks about any more is forgotten beyond so many.
    private static let takenCount = 2048

    init(_ session: SessionDocument, path: String, sampleRate: SampleRate) {
        self.session = session
        folder = PerformanceHistory.folder(of: path)
        self.sampleRate = sampleRate
    }

    private static func folder(of path: String) -> URL {
        URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL
    }

    // MARK: Taking in

    mutating func add(_ action: ScriptAction, sentAs command: CommandID, at frame: FrameTime?, path: String) {
        lastCommand = max(lastCommand, command.rawValue)
        var step = Step(
            entry: ScriptEntry(time: .frame(frame ?? .zero), action: action), order: command.rawValue,
            folder: PerformanceHistory.folder(of: path))
        step.entry.isPlanned = frame != nil
        if frame == nil, taken[command] == nil {
            waiting[command] = step
            return
        }
        if let taking = taken.removeValue(forKey: command) {
            step.entry.time = .frame(taking.frame)
            step.entry.late = taking.late
        }
        keep(step)
    }

    /// Adds what no command accounts for.
    mutating func add(_ action: ScriptAction, at frame: FrameTime, isPlanned: Bool, path: String) {
        var entry = ScriptEntry(time: .frame(frame), action: action)
        entry.isPlanned = isPlanned
        keep(Step(entry: entry, order: lastCommand, folder: PerformanceHistory.folder(of: path)))
    }

    private mutating func keep(_ step: Step) {
        steps.append(step)
        unwritten?.append(step)
        if steps.count > compactsAt, holds == 0 { compact() }
    }

    /// Takes in what has happened.
    mutating func add(_ event: EngineEvent) {
        switch event.kind {
        case .commandTaken(let command): take(command, Taking(frame: event.frame))
        case .commandLate(let command, let frames): take(command, Taking(frame: event.frame, late: frames))
        case .transport(.sampleRateChanged(let rate)): restate(at: event.frame, rate)
        default: break
        }
    }

    private mutating func take(_ command: CommandID, _ taking: Taking) {
        if var step = waiting.removeValue(forKey: command) {
            step.entry.time = .frame(taking.frame)
            keep(step)
        } else if taking.late > 0,
            let index = steps.lastIndex(where: { $0.order == command.rawValue && $0.entry.isPlanned })
        {
            steps[index].entry.time = .frame(taking.frame)
            steps[index].entry.late = taking.late
            unwritten?.append(steps[index])
        } else {
            taken[command] = taking
            guard taken.count > PerformanceHistory.takenCount else { return }
            let newest = taken.keys.map(\.rawValue).max() ?? 0
            taken = taken.filter { $0.key.rawValue > newest - PerformanceHistory.takenCount / 2 }
        }
    }

    /// Whether the frame of something that was done is not known yet.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Counts what was done before `frame` at another rate: as if it had been done at that one.
    private mutating func restate(at frame: FrameTime, _ rate: SampleRate) {
        let ratio = rate.hertz / sampleRate.hertz
        func restated(_ old: FrameTime) -> FrameTime {
            old >= frame ? old : frame + Int64((Double(old - frame) * ratio).rounded())
        }
        start = restated(start)
        since = since.map(restated)
        for index in steps.indices { steps[index].entry.time = .frame(restated(steps[index].frame)) }
        sampleRate = rate
        // A journal has one rate.
        unwritten = nil
    }

    // MARK: Beginning anew

    /// Begins anew at `frame`, at which nothing sounds.
    mutating func begin(_ session: SessionDocument, path: String, at frame: FrameTime, _ state: [ScriptAction]) {
        self.session = session
        folder = PerformanceHistory.folder(of: path)
        start = frame
        let folder = folder
        steps = state.map { action in
            var entry = ScriptEntry(time: .frame(frame), action: action)
            entry.isPlanned = true
            return Step(entry: entry, order: lastCommand, folder: folder)
        }
    }

    /// Whether all that it has was done before `frame`, and is in the session: what was planned is the performance's alone.
    func isOfSession(before frame: FrameTime) -> Bool {
        holds == 0 && waiting.isEmpty
            && steps.allSatisfy { step in
                step.frame < frame
                    && !(step.entry.isPlanned && step.entry.action.isSetting && step.entry.time != .frame(start))
            }
    }

    /// Whether the tempo was tapped at `frame` or later.
    func hasTap(since frame: FrameTime) -> Bool { steps.contains { $0.entry.action == .tap && $0.frame >= frame } }

    /// The actions on the stems that last, and that the session does not keep.
    var lasting: [ScriptAction] {
        var gain: ScriptAction?
        var loop: ScriptAction?
        for step in steps {
            switch step.entry.action {
            case .stems(.gain(let db)): gain = db == 0 ? nil : step.entry.action
            case .stems(.loop): loop = step.entry.action
            case .stems(.endLoop): loop = nil
            default: break
            }
        }
        return [gain, loop].compactMap { $0 }
    }

    /// Leaves out faders and pans that were moved again since. What the session keeps makes way only for what it keeps
    /// too: an edit finds what it changes from that.
    private mutating func compact() {
        var later: [ScriptAction.Moved: FrameTime] = [:]
        var laterKept: [ScriptAction.Moved: FrameTime] = [:]
        var kept: [Step] = []
        for step in steps.reversed() {
            if step.entry.action.isSession { (later, laterKept) = ([:], [:]) }
            if let moved = step.entry.action.moved {
                let isPlanned = step.entry.isPlanned
                if let frame = isPlanned ? later[moved] : laterKept[moved], step.frame <= frame { continue }
                later[moved] = max(step.frame, later[moved] ?? step.frame)
                if !isPlanned { laterKept[moved] = max(step.frame, laterKept[moved] ?? step.frame) }
            }
            kept.append(step)
        }
        steps = kept.reversed()
        compactsAt = max(PerformanceHistory.compactedCount, 2 * steps.count)
    }

    // MARK: The script

    /// What was done from `since` on and before `end`, in frames since then, with what it takes to begin there.
    ///
    /// - Parameters:
    ///   - since: the first frame.
    ///   - end: the frame after the last one; `nil` for all that is known.
    ///   - isComplete: whether it has a beginning also where the session that was opened would do.
    /// - Returns: the script.
    func script(since: FrameTime, until end: FrameTime? = nil, isComplete: Bool) -> PerformanceScript {
        let first = min(start, since)
        let last = end ?? FrameTime(.max)
        let known = steps.enumerated().filter { $0.element.frame < last }.sorted { first, second in
            (first.element.frame.rawValue, first.element.order, first.offset)
                < (second.element.frame.rawValue, second.element.order, second.offset)
        }
        var script = PerformanceScript()
        script.entries = known.map { entry(of: $0.element, since: since) }
        let needsBeginning =
            start != .zero || since != .zero || script.entries.contains { $0.action.isSession || $0.late > 0 }
        if isComplete || needsBeginning {
            script.beginning = ScriptBeginning(
                session: session, folder: folder.path, frame: FrameTime(first - since),
                frames: end.map { $0 - since }, sampleRate: sampleRate)
        }
        return script
    }

    private func entry(of step: Step, since: FrameTime) -> ScriptEntry {
        var entry = step.entry
        entry.time = .frame(FrameTime(step.frame - since))
        if step.folder != folder {
            entry.action = entry.action.withFiles { URL(fileURLWithPath: $0, relativeTo: step.folder).path }
        }
        return entry
    }

    // MARK: The journal of a recording

    /// Begins a journal of a recording from `since` on; what it begins with is there for ``takeJournal(since:)``.
    mutating func beginJournal(since: FrameTime) -> ScriptBeginning {
        unwritten = steps
        return ScriptBeginning(
            session: session, folder: folder.path, frame: FrameTime(min(start, since) - since), frames: nil,
            sampleRate: sampleRate)
    }

    /// What has come, or has turned out otherwise, since this was asked the last time.
    mutating func takeJournal(since: FrameTime) -> [TakeJournal.Line] {
        guard let steps = unwritten, !steps.isEmpty else { return [] }
        unwritten = []
        return steps.map { TakeJournal.Line(entry: entry(of: $0, since: since), order: $0.order) }
    }

    mutating func endJournal() { unwritten = nil }
}

extension ScriptAction {
    /// Whether it changes the session.
    var isSession: Bool {
        if case .session = self { return true }
        return false
    }

    /// A control that may be moved many times, of which the last counts.
    fileprivate enum Moved: Hashable {
        case gain(Strip)
        case pan(Strip)
        case stems
        case playlist
        case effect(EffectStrip, String, String)
    }

    fileprivate var moved: Moved? {
        switch self {
        case .gain(.clip, _): nil
        case .gain(let strip, _): .gain(strip)
        case .pan(let strip, _): .pan(strip)
        case .stems(.gain): .stems
        case .playlist(.gain): .playlist
        case .effect(let change) where change.isAtOnce: .effect(change.strip, change.effect, change.name)
        default: nil
        }
    }
}
