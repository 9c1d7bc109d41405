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
        let patience = state.sampleRate.frames(seconds: SessionPlayer.calledOffSeconds)
        let waiting = open.filter { take in take.launched.map { state.frame > $0 + patience } ?? false }
        for take in waiting where engine.launcher.take(of: take.clip)?.start == nil {
            let isThere = state.tracks.contains { $0.queued?.clip == take.clip || $0.playing?.clip == take.clip }
            // It is tried again where the engine has no room for more commands.
            if !isThere { try? forget(take) }
        }
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
