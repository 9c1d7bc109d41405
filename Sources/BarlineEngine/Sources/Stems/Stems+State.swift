import BarlineDSP

/// Publishing the stems for displays.
extension Stems {
    /// The stems at the end of a block.
    struct Snapshot: BitwiseCopyable {
        let phase: EngineState.Multitrack.Phase
        /// Their position, in seconds.
        let position: Double
        let underruns: Int64
    }

    @_noLocks func publish(_ context: inout RenderContext) {
        var phase = wantsToPlay || isQueued ? EngineState.Multitrack.Phase.waiting : .paused
        var seconds = heldSeconds
        if current >= 0 {
            phase = readings[current].isStarved ? .starved : .playing
            seconds = exactSeconds(ofHead: current, context.timeline)
        }
        let snapshot = Snapshot(phase: phase, position: seconds, underruns: underruns)
        context.note(isBusy: wantsToPlay || isQueued || current >= 0)
        context.link.board.put(snapshot, at: place)
    }
}

extension EngineState.Multitrack {
    init(_ stems: Stems.Snapshot) {
        self.init(phase: stems.phase, position: stems.position, underrunCount: Int(stems.underruns))
    }
}
