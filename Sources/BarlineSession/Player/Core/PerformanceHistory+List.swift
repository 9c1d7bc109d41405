import BarlineEngine
import BarlineTime

/// What was asked of the playlist, and whose frame is not known yet: it has another item start, or the list stop, and
/// until then what was heard before it is heard on. Edits that come meanwhile follow it.
struct PendingListEdits: Sendable {
    fileprivate struct Edit: Sendable {
        let number: Int
        let action: ScriptAction
        /// Whether it is one that may start another item.
        var mayStart: Bool
        /// The frame at which it was asked for.
        let frame: FrameTime
        /// Whether the engine will be sent it, if nothing else is asked for in its place: `play` and `next` are, where a
        /// `remove` is only if the item plays.
        var isRequest: Bool { if case .playlist(let action) = action { action.isRequest } else { false } }
        /// How long what it starts is waited for, in seconds: longer than it takes to open a file, or it does not start.
        var patience: Double { isRequest ? 60 : 2 }
    }

    fileprivate var edits: [Edit] = []
    /// The number of what is asked for next.
    fileprivate(set) var nextNumber = 0
    /// What was started last has been sent as this.
    fileprivate var command: CommandID?

    var isEmpty: Bool { edits.isEmpty }

    fileprivate mutating func append(_ action: ScriptAction, mayStart: Bool, at frame: FrameTime) -> Int {
        defer { nextNumber += 1 }
        edits.append(Edit(number: nextNumber, action: action, mayStart: mayStart, frame: frame))
        return nextNumber
    }

    /// Takes those that are done with what was asked for as `number`: what it has superseded, and the edits up to what
    /// may start next. None if it was given up.
    fileprivate mutating func take(with number: Int) -> [ScriptAction] {
        guard let place = edits.firstIndex(where: { $0.number == number }) else { return [] }
        let end = edits[(place + 1)...].firstIndex(where: \.mayStart) ?? edits.count
        defer { edits.removeFirst(end) }
        return edits.prefix(end).map(\.action)
    }
}

extension PerformanceHistory {
    /// Begins what may start another item, or stop the list.
    ///
    /// - Returns: what it is called by ``startListEdit(_:sentAs:path:)``, ``settleListEdit(_:at:path:)`` and
    ///   ``cancelListEdit(_:)``.
    mutating func beginListEdit(_ action: PlaylistAction, at now: FrameTime, path: String) -> Int {
        endLateListEdits(at: now, path: path)
        return pendingList.append(.playlist(action), mayStart: true, at: now)
    }

    /// Adds what the engine was sent, after what it has superseded and before the edits that came since.
    mutating func startListEdit(_ number: Int, sentAs command: CommandID, path: String) {
        let actions = pendingList.take(with: number)
        if actions.isEmpty { return }
        add(actions, sentAs: command, at: nil, path: path)
        pendingList.command = command
    }

    /// Notes that an edit has started nothing.
    mutating func settleListEdit(_ number: Int, at now: FrameTime, path: String) {
        guard let place = pendingList.edits.firstIndex(where: { $0.number == number }) else { return }
        // What comes before it is waited for: it follows that.
        pendingList.edits[place].mayStart = false
        if place > 0 { return }
        for action in pendingList.take(with: number) { addDone(action, at: now, path: path) }
    }

    /// Forgets an edit that was refused.
    mutating func cancelListEdit(_ number: Int) { pendingList.edits.removeAll { $0.number == number } }

    /// Adds an edit of the list that starts nothing.
    mutating func addListEdit(_ action: PlaylistAction, at now: FrameTime, path: String) {
        endLateListEdits(at: now, path: path)
        if !pendingList.isEmpty {
            _ = pendingList.append(.playlist(action), mayStart: false, at: now)
        } else {
            addDone(.playlist(action), at: now, path: path)
        }
    }

    /// Adds what the engine was sent of the list for later.
    ///
    /// - Parameters:
    ///   - action: what it was sent.
    ///   - command: the command.
    ///   - moment: when it is for. It starts instead of what was asked for before it and has not started.
    ///   - number: the number that was next when it was asked for.
    ///   - now: the frame that comes next.
    ///   - path: the session.
    mutating func plan(
        _ action: PlaylistAction, sentAs command: CommandID, at moment: any Moment, before number: Int, now: FrameTime,
        path: String
    ) {
        endListEdits(at: now, path: path)
        let superseded = pendingList.edits.filter { $0.number < number }.map(\.action)
        pendingList.edits.removeAll { $0.number < number }
        add(superseded + [.playlist(action)], sentAs: command, at: moment, path: path)
    }

    /// Adds an edit of the session that no command accounts for, after those of the list that it has in it, and after
    /// one before it that the engine has not taken yet.
    mutating func addEdit(_ action: ScriptAction, at now: FrameTime, path: String, revision: Int = .max) {
        endListEdits(at: now, path: path)
        addDone(action, at: now, path: path, revision: revision)
    }

    /// Adds what was done now: after the edits of the list, and of the session, that it follows and that have no frame yet.
    private mutating func addDone(_ action: ScriptAction, at now: FrameTime, path: String, revision: Int = .max) {
        if follow(with: action, path: path) { return }
        let edits = waiting.filter { $0.value.contains { $0.entry.action.isSession } }
        if let command = edits.keys.max(by: { $0.rawValue < $1.rawValue }),
            add(action, after: command, path: path, revision: revision)
        {
            return
        }
        add(action, at: now, isPlanned: false, path: path, revision: revision)
    }

    /// Has the edits of the list that have no frame have been done now, but for what the engine will be sent.
    mutating func endListEdits(at now: FrameTime, path: String) {
        let ended = pendingList.edits.filter { !$0.isRequest }
        pendingList.edits.removeAll { !$0.isRequest }
        end(ended, at: now, path: path)
    }

    private mutating func end(_ edits: [PendingListEdits.Edit], at now: FrameTime, path: String) {
        for edit in edits { addDone(edit.action, at: now, path: path) }
    }

    /// Gives up on what should have started: there is nothing in it, for one.
    mutating func endLateListEdits(at now: FrameTime, path: String) {
        guard let first = pendingList.edits.first, now - first.frame > sampleRate.frames(seconds: first.patience) else {
            return
        }
        // A request that comes later is waited for longer.
        let count = first.isRequest ? nil : pendingList.edits.firstIndex(where: \.isRequest)
        let ended = Array(pendingList.edits.prefix(count ?? pendingList.edits.count))
        pendingList.edits.removeFirst(ended.count)
        end(ended, at: now, path: path)
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
    /// Whether the engine is sent it when what it starts is there.
    var isRequest: Bool {
        switch self {
        case .play, .playIndex, .pause, .stop, .next, .previous, .seek: true
        default: false
        }
    }

    /// Whether it has an item begin, from wherever, or the list stop.
    fileprivate var startsItem: Bool {
        switch self {
        case .playIndex, .stop, .next, .previous, .seek, .remove, .replace, .clear: true
        default: false
        }
    }
}
