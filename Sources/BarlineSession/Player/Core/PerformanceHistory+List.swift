import BarlineEngine
import BarlineTime

/// Edits of the playlist whose frame is not known yet: one has another item start, or the list stop, and until then what
/// was heard before it is heard on. Those that come meanwhile follow it.
struct PendingListEdits: Sendable {
    fileprivate struct Edit: Sendable {
        let number: Int
        let action: ScriptAction
        /// Whether it is one that may start another item.
        let mayStart: Bool
        /// The frame at which it was asked for.
        let frame: FrameTime
    }

    fileprivate var edits: [Edit] = []
    fileprivate var nextNumber = 0
    /// What starts as the result of an edit has been sent as this.
    fileprivate var command: CommandID?

    /// How long what an edit starts is waited for, in seconds: longer than it takes to open a file, or it does not start.
    fileprivate static let patience = 2.0

    var isEmpty: Bool { edits.isEmpty }

    fileprivate mutating func append(_ action: ScriptAction, mayStart: Bool, at frame: FrameTime) -> Int {
        defer { nextNumber += 1 }
        edits.append(Edit(number: nextNumber, action: action, mayStart: mayStart, frame: frame))
        return nextNumber
    }
}

extension PerformanceHistory {
    /// Begins an edit of the list that may start another item.
    ///
    /// - Returns: what ``settleListEdit(_:at:path:)`` is told if it does not.
    mutating func beginListEdit(_ action: PlaylistAction, at now: FrameTime, path: String) -> Int {
        endLateListEdits(at: now, path: path)
        return pendingList.append(.playlist(action), mayStart: true, at: now)
    }

    /// Notes that an edit has started nothing.
    mutating func settleListEdit(_ number: Int, at now: FrameTime, path: String) {
        guard pendingList.edits.first?.number == number else { return }
        let count = pendingList.edits.dropFirst().firstIndex(where: \.mayStart) ?? pendingList.edits.count
        endListEdits(count, at: now, path: path)
    }

    /// Forgets an edit that was refused.
    mutating func cancelListEdit(_ number: Int) { pendingList.edits.removeAll { $0.number == number } }

    /// Adds an edit of the list that starts nothing.
    mutating func addListEdit(_ action: PlaylistAction, at now: FrameTime, path: String) {
        endLateListEdits(at: now, path: path)
        if !pendingList.isEmpty {
            _ = pendingList.append(.playlist(action), mayStart: false, at: now)
        } else if !follow(with: .playlist(action), path: path) {
            add(.playlist(action), at: now, isPlanned: false, path: path)
        }
    }

    /// Adds what the engine was sent for the list, after the edits that come with it.
    ///
    /// - Parameters:
    ///   - action: what it was sent; `nil` if it is what an edit has started.
    ///   - command: the command.
    ///   - moment: when it is for; `nil` for the next block. What is for later starts instead of what edits have started.
    ///   - now: the frame that comes next.
    ///   - path: the session.
    mutating func start(
        _ action: PlaylistAction?, sentAs command: CommandID, at moment: (any Moment)?, now: FrameTime, path: String
    ) {
        if moment != nil { endListEdits(at: now, path: path) }
        let edits = pendingList.edits.map(\.action)
        let actions = edits + [action].compactMap { $0.map(ScriptAction.playlist) }
        pendingList.edits = []
        if actions.isEmpty { return }
        add(actions, sentAs: command, at: moment, path: path)
        if !edits.isEmpty { pendingList.command = command }
    }

    /// Adds an edit of the session that no command accounts for, after those of the list that it has in it, and after
    /// one before it that the engine has not taken yet.
    mutating func addEdit(_ action: ScriptAction, at now: FrameTime, path: String) {
        endListEdits(at: now, path: path)
        if follow(with: action, path: path) { return }
        let edits = waiting.filter { $0.value.contains { $0.entry.action.isSession } }
        if let command = edits.keys.max(by: { $0.rawValue < $1.rawValue }), add(action, after: command, path: path) {
            return
        }
        add(action, at: now, isPlanned: false, path: path)
    }

    /// Has the edits of the list that have no frame have been done now.
    mutating func endListEdits(at now: FrameTime, path: String) {
        endListEdits(pendingList.edits.count, at: now, path: path)
    }

    private mutating func endListEdits(_ count: Int, at now: FrameTime, path: String) {
        let ended = pendingList.edits.prefix(count)
        pendingList.edits.removeFirst(count)
        for edit in ended where !follow(with: edit.action, path: path) {
            add(edit.action, at: now, isPlanned: false, path: path)
        }
    }

    /// Gives up on what edits should have started: there is nothing in it, for one.
    mutating func endLateListEdits(at now: FrameTime, path: String) {
        guard let first = pendingList.edits.first else { return }
        let patience = sampleRate.frames(seconds: PendingListEdits.patience)
        if now - first.frame > patience { endListEdits(at: now, path: path) }
    }

    /// Adds an action after what edits of the list have started, if its frame is not known yet.
    private mutating func follow(with action: ScriptAction, path: String) -> Bool {
        guard let command = pendingList.command else { return false }
        if add(action, after: command, path: path) { return true }
        pendingList.command = nil
        return false
    }
}

// Other versions of the item that plays, which take over a quarter of a second after they were asked for.
extension PerformanceHistory {
    /// Notes that a version takes over on another frame than was thought.
    mutating func moveVersion(sentAs command: CommandID, to frame: FrameTime) {
        moveVersions(to: frame) { $0.order == command.rawValue }
    }

    /// Has versions that were to take over after `frame` be asked for on it: what starts there is of them.
    mutating func endVersions(by actions: [ScriptAction], at frame: FrameTime) {
        let starts = actions.contains { if case .playlist(let action) = $0 { action.startsItem } else { false } }
        if starts { moveVersions(to: frame) { $0.frame > frame } }
    }

    private mutating func moveVersions(to frame: FrameTime, where isMeant: (HistoryStep) -> Bool) {
        for index in steps.indices.reversed().prefix(PerformanceHistory.latestSteps) {
            guard case .playlist(.change) = steps[index].entry.action, steps[index].entry.isPlanned,
                isMeant(steps[index])
            else { continue }
            moveStep(index, to: frame)
        }
    }

    /// How far back a version may be that has not taken over yet.
    private static let latestSteps = 1_000
}

extension PlaylistAction {
    /// Whether it has an item begin, from wherever, or the list stop.
    fileprivate var startsItem: Bool {
        switch self {
        case .playIndex, .stop, .next, .previous, .seek, .remove, .replace, .clear: true
        default: false
        }
    }
}
