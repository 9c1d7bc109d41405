import BarlineEngine
import BarlineTime
import Foundation

/// The history of a performance since everything was last at rest, and the session as it was then: enough to play it
/// again.
///
/// An action without a frame gets the one on which the engine took it, which an event reports later. A history that
/// nobody holds restarts whenever nothing sounds, so that a recording needs no more of the past than is heard in it.
/// Where that does not happen for long, because the transport rolls all evening, what was done before the last few
/// steps is in a file: memory does not grow. A copy of a history is not changed by what comes after it.
struct PerformanceHistory: Sendable {
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

    /// The latest steps; those before them are the first ones of the file.
    var steps: [HistoryStep] = []
    /// How many of those are sessions.
    private var sessionCount = 0
    private var file: HistoryFile?
    private var filedCount = 0
    var filed = HistorySummary()
    /// What was planned, is in the file, and may turn out to be late.
    var filedPlans: [Int: HistoryStep] = [:]
    /// Steps from which on those that have no effect any more are left out, and the others go to the file.
    private var filesAt = PerformanceHistory.keptSteps
    private(set) var waiting: [CommandID: [HistoryStep]] = [:]
    /// What is for a beat, whose frame is known when it has come, which may be never.
    var plans: [CommandID: [HistoryStep]] = [:]
    /// What was for a beat, and has come while an edit was on its way that does not know of it.
    var unplaced: [HistoryStep] = []
    /// What was planned and is kept, the latest last: edits from before may still come that do not know of it.
    var keptPlans: [HistoryStep] = []
    /// What was reported of commands that nobody has added yet.
    private var taken: [CommandID: Taking] = [:]
    /// The commands as which something was sent before, by the one as which it was sent last.
    private var resent: [CommandID: Set<CommandID>] = [:]
    private var lastCommand = -1
    private var takenOrder = TakenOrder()
    /// Edits of the list whose frame is not known yet.
    var pendingList = PendingListEdits()
    /// The tempo that was tapped last, which no edit has needed yet.
    private var tapped: HistoryStep?
    /// What has come since the journal of a recording took it the last time; `nil` where there is none.
    var unwritten: [HistoryStep]?

    /// The frame on which the engine took a command, and how late that was.
    private struct Taking {
        let frame: FrameTime
        var late: Int64 = 0
    }

    /// The folder of the path that was given last, for most actions have the same one.
    private var named: (path: String, folder: URL)

    /// How long a fade-out may take, in seconds, before nothing counts as sounding.
    static let quietSeconds = 0.02
    /// For how long a tap may be the beginning of a tempo, in seconds: the next one, and those after it, need it.
    static let tapSeconds = 3.0
    /// Steps, and sessions among them, that are in memory at most, but for what the disk does not take.
    private static let keptSteps = 256
    private static let stepsPerSession = 16
    /// What was reported of commands that nobody asks about any more is forgotten beyond so many.
    private static let takenCount = 2048

    init(_ session: SessionDocument, path: String, sampleRate: SampleRate) {
        self.session = session
        folder = PerformanceHistory.folder(of: path)
        named = (path, folder)
        self.sampleRate = sampleRate
    }

    /// Whether sessions are counted right, what was filed has a file, and only what was planned may turn out to be
    /// late. O(steps).
    func checkInvariants() -> Bool {
        sessionCount == steps.count { $0.entry.action.isSession } && holds >= 0
            && (file != nil || filedCount == 0 && filedPlans.isEmpty)
            && filedPlans.values.allSatisfy(\.entry.isPlanned)
            && waiting.values.joined().allSatisfy { !$0.entry.isPlanned }
            && (unplaced.isEmpty || waiting.values.joined().contains { $0.entry.action.isSession })
            && plans.values.joined().allSatisfy(\.entry.isPlanned)
    }

    private static func folder(of path: String) -> URL {
        URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL
    }

    private mutating func sessionFolder(of path: String) -> URL {
        if named.path != path { named = (path, PerformanceHistory.folder(of: path)) }
        return named.folder
    }

    // MARK: Taking in

    /// Adds actions that one command stands for, in order. An edit comes before what follows from it.
    ///
    /// - Parameters:
    ///   - actions: what was asked for.
    ///   - command: the command.
    ///   - moment: when it is for; `nil` for the next block.
    ///   - path: the session.
    ///   - revision: of an edit, which change of the document it is.
    mutating func add(
        _ actions: [ScriptAction], sentAs command: CommandID, at moment: (any Moment)?, path: String,
        revision: Int = .max
    ) {
        lastCommand = max(lastCommand, command.rawValue)
        var frame: FrameTime?
        if case .frame(let due)? = moment?.due { frame = due }
        let folder = sessionFolder(of: path)
        let isEdit = actions.contains(where: \.isSession)
        if isEdit || moment == nil && actions.contains(where: \.isTempo) { endTapped(isNeeded: isEdit) }
        var added = actions.map { action in
            var entry = ScriptEntry(time: .frame(frame ?? .zero), action: action)
            entry.isPlanned = moment != nil
            return HistoryStep(entry: entry, order: command.rawValue, folder: folder, revision: revision)
        }
        if frame == nil, moment != nil, taken[command] == nil {
            plans[command, default: []] += added
            return
        }
        if frame == nil, taken[command] == nil {
            waiting[command] = isEdit ? added + (waiting[command] ?? []) : (waiting[command] ?? []) + added
            return
        }
        if let taking = taken.removeValue(forKey: command) {
            // All may have come to rest between the two, from when on it is recorded.
            let frame = taking.frame < start ? start : taking.frame
            for index in added.indices { added[index].set(frame, late: taking.late) }
        }
        for step in added { keep(step) }
    }

    /// Adds what follows on the same frame what a command stands for, unless that frame is known by now.
    ///
    /// - Returns: whether it was added.
    mutating func add(
        _ action: ScriptAction, after command: CommandID, path: String, revision: Int = .max
    ) -> Bool {
        if waiting[command] == nil { return false }
        if action.isSession || action.isTempo { endTapped(isNeeded: action.isSession) }
        let folder = sessionFolder(of: path)
        let entry = ScriptEntry(time: .frame(.zero), action: action)
        waiting[command]?.append(
            HistoryStep(entry: entry, order: command.rawValue, folder: folder, revision: revision))
        return true
    }

    /// Adds what no command accounts for.
    mutating func add(
        _ action: ScriptAction, at frame: FrameTime, isPlanned: Bool, path: String, revision: Int = .max
    ) {
        var entry = ScriptEntry(time: .frame(frame), action: action)
        entry.isPlanned = isPlanned
        if action.isSession || action.isTempo { endTapped(isNeeded: action.isSession) }
        keep(HistoryStep(entry: entry, order: lastCommand, folder: sessionFolder(of: path), revision: revision))
    }

    /// Notes what tempo a tap has set. Who taps again needs no more than the taps; what is edited later finds it in the
    /// session, and is told apart by that.
    mutating func setTapped(_ tempo: ScriptAction, at frame: FrameTime, path: String) {
        if isEdited(since: frame) { return }
        let entry = ScriptEntry(time: .frame(frame), action: tempo)
        tapped = HistoryStep(entry: entry, order: lastCommand, folder: sessionFolder(of: path))
    }

    private mutating func endTapped(isNeeded: Bool) {
        if isNeeded, let tapped { keep(tapped) }
        tapped = nil
    }

    mutating func keep(_ step: HistoryStep) {
        let step = knowingKeptPlans(step)
        steps.append(step)
        unwritten?.append(step)
        if step.entry.action.isSession { sessionCount += 1 }
        if steps.count > filesAt || sessionCount > filesAt / PerformanceHistory.stepsPerSession { makeRoom() }
        assert(checkInvariants(), "what is kept of the past agrees with itself")
    }

    /// Notes that what was sent as `former` was taken back, and sent as `command` for the same moment.
    mutating func resend(_ former: CommandID, as command: CommandID) {
        if let planned = plans.removeValue(forKey: former) {
            plans[command] = planned + (plans[command] ?? [])
        } else {
            resent[command, default: []].formUnion([former] + (resent.removeValue(forKey: former) ?? []))
        }
        if let taking = taken.removeValue(forKey: command) { take(command, taking) }
    }

    /// Takes in what has happened.
    mutating func add(_ event: EngineEvent) {
        switch event.kind {
        case .commandTaken(let command): take(command, Taking(frame: event.frame))
        case .commandLate(let command, let frames): take(command, Taking(frame: event.frame, late: frames))
        case .transport(.sampleRateChanged(let rate)): restate(at: event.frame, rate)
        case .transport(.clockJumped(let frames)): keep(HistoryStep(jump: frames, at: event.frame, folder: folder))
        default: break
        }
    }

    private mutating func take(_ command: CommandID, _ taking: Taking) {
        let formers = resent.removeValue(forKey: command) ?? []
        if taking.late > 0 { for former in formers { take(former, taking) } }
        let rank = takenOrder.rank(of: command, at: taking.frame)
        if let planned = plans[command], planned.contains(where: \.entry.action.isSetting),
            isEditWaiting(after: command)
        {
            plans[command] = nil
            unplaced += planned.map { $0.taken(on: taking.frame, rank: rank) }
        } else if plans[command] != nil || waiting[command] != nil {
            // A version that is told of with a jump follows it.
            let waited = (plans.removeValue(forKey: command) ?? []) + (waiting.removeValue(forKey: command) ?? [])
            endVersions(by: waited.map(\.entry.action), at: taking.frame)
            let isEdit = waited.contains(where: \.entry.action.isSession)
            if isEdit { placePlans(before: taking.frame) }
            for step in waited { keep(step.taken(on: taking.frame, rank: rank)) }
            if isEdit { placePlans(on: taking.frame, rank: rank) }
        } else if taking.late > 0, let first = steps.lastIndex(where: { $0.isPlanned(as: command) }) {
            // Those that one command stands for follow each other.
            let all = steps[...first].indices.reversed().prefix { steps[$0].isPlanned(as: command) }
            for index in all.reversed() {
                steps[index].set(taking.frame, late: taking.late)
                unwritten?.append(steps[index])
            }
        } else if var step = filedPlans[command.rawValue] {
            guard taking.late > 0 else { return }
            withdrawFiled(step)
            step.set(taking.frame, late: taking.late)
            keep(step)
        } else {
            taken[command] = taking
            guard taken.count > PerformanceHistory.takenCount else { return }
            let newest = taken.keys.map(\.rawValue).max() ?? 0
            taken = taken.filter { $0.key.rawValue > newest - PerformanceHistory.takenCount / 2 }
        }
    }

    /// A step of those in memory was done on another frame than was thought, and is in the session.
    mutating func moveStep(_ index: Int, to frame: FrameTime) {
        steps[index].entry.time = .frame(frame)
        steps[index].isKept = true
        unwritten?.append(steps[index])
    }

    /// Whether the frame of something that was done is not known yet.
    var isWaiting: Bool { !waiting.isEmpty || !pendingList.isEmpty }

    /// Counts what was done before `frame` at another rate: as if it had been done at that one.
    private mutating func restate(at frame: FrameTime, _ rate: SampleRate) {
        let ratio = rate.hertz / sampleRate.hertz
        func restated(_ old: FrameTime) -> FrameTime {
            old >= frame ? old : frame + Int64((Double(old - frame) * ratio).rounded())
        }
        steps = allSteps
        sessionCount = steps.count { $0.entry.action.isSession }
        (file, filedCount, filed, filedPlans) = (nil, 0, HistorySummary(), [:])
        start = restated(start)
        since = since.map(restated)
        for index in steps.indices { steps[index].restate(on: restated(steps[index].frame), ratio: ratio) }
        for index in unplaced.indices { unplaced[index].restate(on: restated(unplaced[index].frame), ratio: ratio) }
        keptPlans = []
        if let step = tapped { tapped?.entry.time = .frame(restated(step.frame)) }
        sampleRate = rate
        // A journal has one rate.
        unwritten = nil
        assert(checkInvariants(), "what is kept of the past agrees with itself")
    }

    // MARK: Restarting

    /// Restarts at `frame`, at which nothing sounds.
    mutating func begin(_ session: SessionDocument, path: String, at frame: FrameTime, _ state: [ScriptAction]) {
        self.session = session
        folder = PerformanceHistory.folder(of: path)
        start = frame
        let folder = folder
        (file, filedCount, filed, filedPlans) = (nil, 0, HistorySummary(), [:])
        (sessionCount, filesAt, tapped, resent) = (0, PerformanceHistory.keptSteps, nil, [:])
        steps = state.map { action in
            var entry = ScriptEntry(time: .frame(frame), action: action)
            entry.isPlanned = true
            return HistoryStep(entry: entry, order: lastCommand, folder: folder)
        }
    }

    /// Whether all that it has was done before `frame`, and is in the session: what was planned is the performance's
    /// alone.
    func isOfSession(before frame: FrameTime) -> Bool {
        holds == 0 && !isWaiting && (filedCount == 0 || filed.last < frame && filed.plannedSettings == 0)
            && steps.allSatisfy { step in
                step.frame < frame
                    && !(step.isPlan && step.entry.action.isSetting && step.entry.time != .frame(start))
            }
    }

    /// Whether the tempo was tapped at `frame` or later.
    func hasTap(since frame: FrameTime) -> Bool {
        filed.lastTap >= frame || steps.contains { $0.entry.action == .tap && $0.frame >= frame }
    }

    /// The actions on the stems that last, and that the session does not keep.
    var lasting: [ScriptAction] {
        var summary = filed
        for step in steps { summary.add(step, start: start) }
        return [summary.gain, summary.loop].compactMap { $0 }
    }

    /// Leaves out faders and pans that were moved again since. What the session keeps makes way only for what it keeps
    /// too: an edit finds what it changes from that.
    private mutating func compact() {
        var later: [ScriptAction.Moved: FrameTime] = [:]
        var laterUnplanned: [ScriptAction.Moved: FrameTime] = [:]
        var kept: [HistoryStep] = []
        for step in steps.reversed() {
            if step.entry.action.isSession { (later, laterUnplanned) = ([:], [:]) }
            if let moved = step.entry.action.moved {
                let isPlanned = step.isPlan
                if let frame = isPlanned ? later[moved] : laterUnplanned[moved], step.frame <= frame { continue }
                later[moved] = max(step.frame, later[moved] ?? step.frame)
                if !isPlanned { laterUnplanned[moved] = max(step.frame, laterUnplanned[moved] ?? step.frame) }
            }
            kept.append(step)
        }
        steps = kept.reversed()
    }

    /// Leaves out what has no effect any more, and moves what is left to the file where that is much still.
    private mutating func makeRoom() {
        if holds == 0 { compact() }
        sessionCount = steps.count { $0.entry.action.isSession }
        let isFull =
            steps.count > filesAt / 2 || sessionCount > filesAt / (2 * PerformanceHistory.stepsPerSession)
        guard isFull else { return }
        file = file ?? HistoryFile()
        guard let file else {
            filesAt = 2 * max(steps.count, PerformanceHistory.stepsPerSession * sessionCount)
            return
        }
        for step in steps {
            filed.add(step, start: start)
            if step.entry.isPlanned { filedPlans[step.order] = step }
        }
        // Of what is not to come, nothing is late any more.
        if filedPlans.count > PerformanceHistory.takenCount {
            filedPlans = filedPlans.filter { $0.key > lastCommand - PerformanceHistory.takenCount / 2 }
        }
        file.append(steps)
        filedCount += steps.count
        (steps, sessionCount) = ([], 0)
    }

    /// All that is known. What turned out to be late, or was kept, after it had gone to the file stays where it was.
    var allSteps: [HistoryStep] {
        guard let file else { return steps }
        var all: [HistoryStep] = []
        var plans: [Int: [Int]] = [:]
        for step in file.steps(filedCount) + steps {
            if step.entry.isPlanned {
                let isCorrection = step.entry.late > 0 || step.isKept
                let place = plans[step.order]?.last { all[$0].entry.action == step.entry.action }
                if isCorrection, let place {
                    all[place] = step
                    continue
                }
                plans[step.order, default: []].append(all.count)
            }
            all.append(step)
        }
        return all
    }
}
