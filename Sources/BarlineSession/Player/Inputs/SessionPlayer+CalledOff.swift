import BarlineEngine
import BarlineTime

/// Takes that were called off before they began: by a stop, or by another launch on their track.
extension SessionPlayer {
    /// How long after it was asked for a take that does not wait any more was called off, in seconds: several long
    /// blocks.
    private static let calledOffSeconds = 0.1

    /// Lets go of them; to be called often.
    func forgetCalledOff() {
        let open = bound.withLock { $0.takes.filter { !$0.isKept && $0.launched != nil } }
        if open.isEmpty { return }
        let state = engine.state
        // It is tried again where the engine has no room for more commands.
        for take in open where isCalledOff(take, state) { try? forget(take) }
    }

    /// The take that has this identifier and was called off: another one may be called so.
    func calledOff(_ id: String, _ bound: BoundSession) -> BoundTake? {
        let state = engine.state
        return bound.takes.first { $0.id == id && !$0.isKept && isCalledOff($0, state) }
    }

    private func isCalledOff(_ take: BoundTake, _ state: EngineState) -> Bool {
        guard engine.launcher.take(of: take.clip)?.start == nil else { return false }
        let patience = state.sampleRate.frames(seconds: SessionPlayer.calledOffSeconds)
        guard state.frame > take.launched.map({ $0 + patience }) ?? take.asked else { return false }
        return !state.tracks.contains { $0.queued?.clip == take.clip || $0.playing?.clip == take.clip }
    }

    /// Whether an action is for another take than one that waits in its slot: of another input, so long as it says, or
    /// called otherwise. One that has begun is that one.
    func isOther(_ action: RecordAction, than take: BoundTake, _ bound: BoundSession) -> Bool {
        guard case .clip(_, _, _, let bars, _, _, _) = action, engine.launcher.take(of: take.clip)?.start == nil,
            let track = bound.document.tracks.first(where: { $0.id == action.track })
        else { return false }
        let name = action.input ?? track.input ?? bound.document.inputs.first?.name
        let input = name.flatMap { bound.inputs[$0] }
        return input != take.input || bars ?? take.bars != take.bars || action.id ?? take.id != take.id
    }

    /// Lets go of a take that has not begun.
    func forget(_ take: BoundTake) throws(EngineError) {
        try engine.launcher.unload(take.clip)
        bound.withLock { bound in
            bound.revision += 1
            bound.takes.removeAll { $0.clip == take.clip }
            if bound.clips[take.id]?.handle == take.clip { bound.unbind(take.id) }
        }
        takes.forget(take.files)
    }
}

// What was set ahead.
extension SessionPlayer {
    /// Forgets what was set ahead for what an edit takes out of the session.
    func callOffPlans(for old: SessionDocument, notIn document: SessionDocument, from now: FrameTime) {
        guard history.withLock({ $0.hasPlans(from: now) }) else { return }
        let gone = GoneTargets(of: old, notIn: document)
        if gone.isEmpty { return }
        history.withLock { $0.callOff(from: now, where: gone.has) }
        plans.withLock { $0.callOff(where: gone.has) }
    }
}
