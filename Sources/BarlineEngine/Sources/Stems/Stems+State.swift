/// What displays are shown of the stems.
extension Stems {
    @_noLocks func publish(_ context: inout RenderContext) {
        let board = context.link.board
        var phase: Int64 = wantsToPlay || isQueued ? 1 : 0
        var seconds = heldSeconds
        if current >= 0 {
            phase = readings[current].isStarved ? 3 : 2
            seconds = exactSeconds(ofHead: current, context.timeline)
        }
        board.set(StateLayout.stemsPhase, phase)
        board.set(StateLayout.stemsPosition, seconds)
        board.set(StateLayout.stemsUnderruns, underruns)
    }
}
