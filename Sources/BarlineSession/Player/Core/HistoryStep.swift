import BarlineEngine
import BarlineTime
import Foundation

/// One thing that was done, as a history has it.
struct HistoryStep: Hashable, Sendable {
    var entry: ScriptEntry
    /// The command that it was, or the last one before it.
    let order: Int
    /// The latest of the commands that were taken on its frame by then; `nil` where that is not known.
    var rank: Int?
    /// What paths of a session start at.
    let folder: URL
    /// It was planned, and the session keeps it since it took effect.
    var isKept = false
    /// Of an edit, and of what was planned and is kept: which change of the document it was.
    var revision = Int.max

    /// What is on one frame is in this order.
    var place: Int { rank ?? order }

    /// Whether it was planned, and sent as a command.
    func isPlanned(as command: CommandID) -> Bool { order == command.rawValue && entry.isPlanned }

    /// Whether it was planned, and is the performance's alone.
    var isPlan: Bool { entry.isPlanned && !isKept }

    /// The frame on which it was done, which every step has.
    var frame: FrameTime { entry.time.frame(at: .standard) ?? .zero }

    /// Counts it in frames of another length, of which there are `ratio` times as many.
    mutating func restate(on frame: FrameTime, ratio: Double) {
        entry.time = .frame(frame)
        guard case .clockJump(let frames) = entry.action else { return }
        entry.action = .clockJump(frames: Int((Double(frames) * ratio).rounded()))
    }

    /// The same, taken on `frame` behind what is `rank` there.
    func taken(on frame: FrameTime, rank: Int) -> HistoryStep {
        var step = self
        (step.entry.time, step.rank) = (.frame(frame), rank)
        return step
    }

    /// It was taken on `frame`, so many frames late.
    mutating func set(_ frame: FrameTime, late: Int64) {
        entry.time = .frame(frame)
        entry.late = late
    }
}

/// The order in which commands are taken: one that waits for a beat may come behind later ones, as behind that which has
/// the transport begin on the frame of that beat.
struct TakenOrder: Hashable {
    private var frame = FrameTime(.min)
    private var last = Int.min

    /// Takes in the command that is taken next, and gives the latest of those that were taken on its frame.
    mutating func rank(of command: CommandID, at frame: FrameTime) -> Int {
        last = frame == self.frame ? max(last, command.rawValue) : command.rawValue
        self.frame = frame
        return last
    }
}

/// The summary of many steps: what is asked of them often, so that it is known without looking at them again.
struct HistorySummary: Hashable {
    /// The last frame of all.
    private(set) var last = FrameTime(.min)
    /// How many settings were planned that the session does not keep, but for those a history begins with.
    private(set) var plannedSettings = 0
    /// The frame of the last edit.
    private(set) var lastEdit = FrameTime(.min)
    /// The frame of the last tap.
    private(set) var lastTap = FrameTime(.min)
    /// What lasts of the stems' fader and loop.
    private(set) var gain: ScriptAction?
    private(set) var loop: ScriptAction?

    /// What was planned comes again, as what it has become.
    mutating func withdraw(_ step: HistoryStep, start: FrameTime) {
        if isPlannedSetting(step, start: start) { plannedSettings -= 1 }
    }

    private func isPlannedSetting(_ step: HistoryStep, start: FrameTime) -> Bool {
        step.isPlan && step.entry.action.isSetting && step.frame != start
    }

    /// Adds a step of a history that begins with `start`.
    mutating func add(_ step: HistoryStep, start: FrameTime) {
        let (frame, action) = (step.frame, step.entry.action)
        last = max(last, frame)
        if isPlannedSetting(step, start: start) { plannedSettings += 1 }
        switch action {
        case .tap: lastTap = max(lastTap, frame)
        case .session: lastEdit = max(lastEdit, frame)
        case .stems(.gain(let db)): gain = db == 0 ? nil : action
        case .stems(.loop): loop = action
        case .stems(.endLoop): loop = nil
        default: break
        }
    }
}

extension HistoryStep {
    /// A jump of the output's clock, before anything else on its frame: it comes with a block.
    init(jump frames: Int64, at frame: FrameTime, folder: URL) {
        let entry = ScriptEntry(time: .frame(frame), action: .clockJump(frames: Int(frames)))
        self.init(entry: entry, order: 0, folder: folder)
    }
}

// A step as a line of a file.
extension HistoryStep {
    /// Has its session, if it has one, take the memory of what it has in common with the one before, `last`, and be that.
    mutating func shareSession(with last: inout SessionDocument?) {
        guard case .session(let session, let kept) = entry.action else { return }
        let shared = last.map { session.sharing($0) } ?? session
        entry.action = .session(shared, kept: kept)
        last = shared
    }

    /// The keys of its line beside those of its entry, under names that no action has.
    var written: [String: JSONValue] {
        // A change of rate may put frames below 0, which no script has.
        var values: [String: JSONValue] = [
            "frame": 0, "history.frame": .number(Double(frame.rawValue)), "history.order": .number(Double(order)),
            "history.folder": .string(folder.path),
        ]
        if isKept { values["history.isKept"] = true }
        if let rank, rank != order { values["history.rank"] = .number(Double(rank)) }
        return values
    }

    /// - Parameter line: a line, with all of its session where it is an edit.
    init?(_ line: JSONValue) {
        guard case .object(var values) = line else { return nil }
        guard case .number(let frame)? = values.removeValue(forKey: "history.frame"),
            case .number(let order)? = values.removeValue(forKey: "history.order"),
            case .string(let path)? = values.removeValue(forKey: "history.folder")
        else { return nil }
        let isKept = values.removeValue(forKey: "history.isKept") == true
        var rank: Int?
        if case .number(let number)? = values.removeValue(forKey: "history.rank") { rank = Int(number) }
        var script = PerformanceScript()
        guard (try? script.add(.object(values), line: 0)) != nil, var entry = script.entries.first else { return nil }
        entry.time = .frame(FrameTime(Int64(frame)))
        let folder = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        self.init(entry: entry, order: Int(order), folder: folder, isKept: isKept)
        self.rank = rank
    }
}
