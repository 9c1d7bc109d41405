import BarlineEngine
import BarlineTime

extension SessionPlayer {
    /// Starts recording the performance as a script.
    public func startRecording() {
        let now = engine.state.frame
        history.withLock { history in
            if history.since == nil { history.holds += 1 }
            history.since = now
        }
    }

    /// The script recorded so far, without actions whose events were not taken yet.
    ///
    /// - Complexity: O(*n* log *n*) in the actions, of which old ones are read from a file.
    public var recordedScript: PerformanceScript {
        // What is in a file is read while others continue.
        let history = history.withLock { $0 }
        return history.since.map { history.script(since: $0, isComplete: false) } ?? PerformanceScript()
    }

    /// How many actions were sent for a beat or a bar that has not come.
    var waitingForBeats: Int { history.withLock { $0.planCount } }

    func record(_ action: ScriptAction, sentAs command: CommandID, at moment: (any Moment)?) {
        let path = path
        history.withLock { $0.add([action], sentAs: command, at: moment, path: path) }
    }

    /// Notes an edit. What is to continue in another version stays what is heard until then, which is noted when it
    /// does.
    ///
    /// - Parameters:
    ///   - document: what the session is from now on.
    ///   - old: what it was before.
    ///   - command: the first command that makes it so; `nil` where none was needed.
    ///   - isAnother: whether it is another session, which begins anew.
    ///   - revision: which change of the document it is.
    func record(
        edit document: SessionDocument, over old: BoundSession, sentAs command: CommandID?, isAnother: Bool,
        revision: Int
    ) {
        let kept = isAnother ? [] : old.recordedClips(keptIn: document)
        var document = document
        document.items = playlist.audible(document.items)
        var actions: [ScriptAction] = [.session(document, kept: kept)]
        if isAnother {
            let tempo = Tempo(clamping: document.tempo).beatsPerMinute
            actions += [.tempo(bpm: tempo, ramp: 0), .timeSignature(document.timeSignature), .locate(.beat(0))]
        }
        let (path, now) = (path, engine.playlist.state.frame)
        callOffPlans(for: old.document, notIn: document, from: now)
        history.withLock { history in
            guard let command else {
                return actions.forEach { history.addEdit($0, at: now, path: path, revision: revision) }
            }
            history.endListEdits(at: now, path: path)
            history.add(actions, sentAs: command, at: nil, path: path, revision: revision)
        }
    }

    /// What notes that an item of the playlist continues in another version, on the frame on which it does. It takes no
    /// lock but the history's.
    func exchangeRecorder(path: String) -> SessionPlaylist.Exchanged {
        { [weak self] exchange in
            guard let self else { return }
            let now = engine.playlist.state.frame
            history.withLock { history in
                switch exchange {
                case .sent(let actions, let command, let frame):
                    history.endListEdits(at: now, path: path)
                    history.add(actions.map(ScriptAction.playlist), sentAs: command, at: frame, path: path)
                case .moved(let command, let frame): history.moveVersion(sentAs: command, to: frame)
                }
            }
        }
    }

    /// Keeps what is known of the past until ``releaseHistory()``.
    func holdHistory() {
        restIfQuiet()
        history.withLock { $0.holds += 1 }
    }

    func releaseHistory() { history.withLock { $0.holds -= 1 } }

    /// Takes what has happened since the last call; to be called often.
    package func takeEvents() -> [EngineEvent] { takeEventsAndSteps().events }

    /// A change of the document that is a step of its own.
    struct TakenStep {
        let label: String
        var mergeKey: String?
    }

    /// The same, and what has changed in the document by what happened: items have left the list because they were
    /// played, something that was recorded has come, a tempo was tapped.
    ///
    /// - Parameter rateChanges: is called with another sample rate and its first frame, before what was done is counted
    ///   in it.
    /// - Returns: the events, and the changes as steps, in order.
    func takeEventsAndSteps(
        rateChanges: (FrameTime, SampleRate) -> Void = { _, _ in }
    ) -> (events: [EngineEvent], steps: [TakenStep]) {
        let events = events.take()
        engine.releaseRetired()
        var steps: [TakenStep] = []
        for event in events {
            if case .transport(.sampleRateChanged(let rate)) = event.kind { rateChanges(event.frame, rate) }
            history.withLock { $0.add(event) }
        }
        var hasEnded = false
        var isQuieter = false
        for event in events {
            switch event.kind {
            case .playlist(.itemEnded), .playlist(.itemSkipped): hasEnded = true
            case .transport(.stopped), .stems(.paused), .stems(.seeked), .playlist(.stopped): isQuieter = true
            default: break
            }
        }
        takes.keep()
        if let recording = keepTakes(events) { steps.append(TakenStep(label: recording)) }
        forgetCalledOff()
        bindRecordedAudio()
        if hasEnded, keepConsumedPlaylist() { steps.append(TakenStep(label: ScriptAction.consumption)) }
        if let tapped = keepTappedTempo(events) { steps.append(tapped) }
        steps += keepPlans(events)
        if isQuieter || isBecomingQuiet.load(ordering: .relaxed) {
            isBecomingQuiet.store(!restIfQuiet(), ordering: .relaxed)
        }
        return (events, steps)
    }

    /// Keeps settings that were for later and are done, those for a beat as far as `events` tell of them.
    ///
    /// - Returns: the changes as steps, in order.
    func keepPlans(_ events: [EngineEvent] = []) -> [TakenStep] {
        let now = engine.state.frame
        let done = plans.withLock { $0.takeDone(events, before: now) }
        for plan in done {
            let revision = keep(plan.action)
            history.withLock { $0.keepPlan(plan.command, revision: revision) }
        }
        if done.isEmpty { return [] }
        let document = document
        return done.map { TakenStep(label: $0.action.label(in: document), mergeKey: $0.action.mergeKey) }
    }

    /// Keeps tempos that were tapped.
    private func keepTappedTempo(_ events: [EngineEvent]) -> TakenStep? {
        let tapped = taps.withLock { taps in
            events.compactMap { event in taps.tempo(setBy: event).map { (event.frame, $0.beatsPerMinute) } }
        }
        var step: TakenStep?
        let path = path
        for (frame, bpm) in tapped {
            let action = ScriptAction.tempo(bpm: bpm, ramp: 0)
            keep(action)
            history.withLock { $0.setTapped(action, at: frame, path: path) }
            step = TakenStep(label: action.label(in: nil), mergeKey: action.mergeKey)
        }
        return step
    }

    /// Restarts the history where nothing sounds and nothing is under way.
    ///
    /// - Returns: whether there is nothing to wait for.
    @discardableResult
    func restIfQuiet() -> Bool {
        let state = engine.state
        // Stems may rest anywhere that a seek leads to: on a frame.
        let position = state.multitrack.position
        let frames = state.sampleRate.frames(seconds: position)
        guard !state.transport.isRolling, state.multitrack.phase == .paused,
            position == state.sampleRate.seconds(frames: frames),
            state.playlist.phase != .playing, state.playlist.phase != .waiting, playlist.isAtStart
        else {
            bound.withLock { $0.quietSince = nil }
            return true
        }
        let path = path
        history.withLock { $0.endLateListEdits(at: state.frame, path: path) }
        let earliestTap = state.frame - state.sampleRate.frames(seconds: PerformanceHistory.tapSeconds)
        if history.withLock({ $0.hasTap(since: earliestTap) }) { return false }
        // What fades out, and faders that are on their way, have a moment.
        let settled = state.frame - state.sampleRate.frames(seconds: PerformanceHistory.quietSeconds)
        let isQuiet =
            state.voicesInUse == 0 && !state.areEffectsActive && state.tracks.allSatisfy { $0.queued == nil }
        return bound.withLock { bound in
            bound.quietSince = isQuiet ? min(bound.quietSince ?? state.frame, state.frame) : nil
            guard bound.isInOrder else { return true }
            // A first loop is recorded while the transport is stopped.
            guard bound.openTakeIDs.isEmpty else { return false }
            // What sounded may still be kept of it, from an input that it is played to.
            let silence = state.sampleRate.seconds(frames: bound.quietSince.map { state.frame - $0 } ?? 0)
            if silence < bound.playedSeconds { return false }
            return history.withLock { history in
                guard isQuiet, history.isOfSession(before: settled) else { return history.holds > 0 }
                var left = history.lasting
                let (transport, document) = (state.transport, bound.document)
                if transport.tempo != Tempo(clamping: document.tempo) {
                    left.append(.tempo(bpm: transport.tempo.beatsPerMinute, ramp: 0))
                }
                if transport.timeSignature != document.timeSignature {
                    left.append(.timeSignature(transport.timeSignature))
                }
                if position > 0, !document.stems.isEmpty { left.append(.stems(.seek(position))) }
                history.begin(document, path: bound.path, at: state.frame, left)
                return true
            }
        }
    }
}

extension BoundSession {
    /// How much is kept of what is played, in seconds, of which loops can be made: 0 where no input is of a track or an
    /// output.
    fileprivate var playedSeconds: Double { document.inputs.contains { $0.from != nil } ? keptSeconds : 0 }

    /// Whether the engine's tracks, stems and outputs are in the order in which a session that is opened has them.
    fileprivate var isInOrder: Bool {
        document.tracks.enumerated().allSatisfy { tracks[$0.element.id]?.rawValue == $0.offset }
            && document.stems.enumerated().allSatisfy { stems[$0.element.id]?.rawValue == $0.offset }
            && outputs == document.outputs
    }
}

extension SessionPlaylist {
    /// Whether it is as one that was never touched.
    fileprivate var isAtStart: Bool {
        let modes = player.modes
        return player.currentIndex ?? 0 == 0 && player.position == 0 && !modes.isShuffled && !modes.stopsAfterCurrent
    }
}
