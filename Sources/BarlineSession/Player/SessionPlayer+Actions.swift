import BarlineDSP
import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// Performs an action at a moment, or with the next block.
    ///
    /// - Parameters:
    ///   - action: the action.
    ///   - moment: when; `nil` for the next block.
    ///   - source: the file that errors refer to: the script's or the session's.
    ///   - key: the place in that file.
    /// - Returns: a warning if the action was adjusted to be possible.
    /// - Throws: ``SessionError`` if an identifier is unknown, a number out of range, or the engine refuses.
    /// - Complexity: O(*n*) in what the action names: a row has a clip on each track, a list its items.
    @discardableResult
    public func perform(
        _ action: ScriptAction, at moment: (any Moment)? = nil, source: String? = nil, key: String = "action"
    ) throws(SessionError) -> String? {
        try action.checkValues(file: source ?? path, key: key)
        return try send(action, at: moment, source: source, key: key).warning?.description
    }

    /// The result of sending an action.
    package struct Sent: Sendable {
        /// The command whose event the engine emits when it takes it; `nil` for what stems do when they are ready.
        let command: CommandID?
        /// What the user should know, where the action was changed to something that can be done.
        let warning: SessionWarning?
    }

    /// Performs an action as ``perform(_:at:source:key:)`` does, and returns what to recognise it by. Where `isKept`,
    /// the session keeps what is set at a moment from then on.
    func send(
        _ action: ScriptAction, at moment: (any Moment)? = nil, source: String? = nil, key: String = "action",
        isKept: Bool = false
    ) throws(SessionError) -> Sent {
        let bound = bound.withLock { $0 }
        let source = source ?? bound.path
        let action = named(action, bound)
        if moment == nil, let problem = bound.missingLayer(of: action) { throw problem }
        let sending = try sending(action, bound, source: source, key: key)
        let command: CommandID?
        do throws(EngineError) {
            if let moment, isKept, action.isSetting {
                // Whether it is done is not looked at before it is known and noted.
                command = try plans.withLock { plans throws(EngineError) in
                    let command = try sending(moment)
                    if let command {
                        plans.add(action, sentAs: command, at: moment)
                        record(action, sentAs: command, at: moment)
                    }
                    return command
                }
            } else {
                command = try sending(moment)
                if let command { record(action, sentAs: command, at: moment) }
            }
        } catch {
            throw .engine(path: source, key: key, error)
        }
        if case .launchScene(let row) = action { launchedScene = row }
        // What is for later is the performance's until then.
        if moment == nil || action.isAtOnce { keep(action) }
        if case .tempo = action { taps.withLock { $0.removeAll() } }
        var warning: SessionWarning?
        if case .tempo(let bpm, _) = action, let played = bound.document.clamped(bpm) {
            warning = .clamped(bpm, to: "\(played)", path: source, key: key)
        }
        return Sent(command: command, warning: warning)
    }

    /// Checks that all that a script names is there when it begins, or is recorded by it. What a recorded one names may
    /// come and go with its edits.
    package func check(_ script: PerformanceScript) throws(SessionError) {
        if script.beginning != nil { return }
        let recorded = Set(script.entries.compactMap(\.action.recordedID))
        var slots: Set<RecordedSlot> = []
        for entry in script.entries {
            let slot = entry.action.recordedSlot
            // What is in a slot then is what the lines before have recorded.
            if !entry.action.plays(oneOf: recorded), !(slot.map(slots.contains) ?? false) {
                try check(entry.action, source: script.path, key: "line \(entry.line)")
            }
            if let slot { slots.insert(slot) }
        }
    }

    /// Checks that every identifier of an action is known and every clip it needs is loaded.
    package func check(_ action: ScriptAction, source: String, key: String) throws(SessionError) {
        if case .change(let change) = action {
            let bound = bound.withLock { $0 }
            if let id = change.id("clip") { _ = try bound.handle(ofClip: id, source: source, key: key) }
            guard let id = change.id("stem"), bound.stems[id] == nil else { return }
            throw .unknown(path: source, key: "\(key).stem", id: id)
        }
        _ = try sending(action, bound.withLock { $0 }, source: source, key: key)
    }

    /// Ends everything that sounds of such parts.
    func silenceParts() throws(SessionError) {
        let document = document
        for part in SessionParts.played where !document.isEmpty(part) { try perform(part.silence) }
    }
}
