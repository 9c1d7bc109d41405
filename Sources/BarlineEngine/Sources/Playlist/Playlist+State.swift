/// What displays are shown of the playlist.
extension Playlist {
    @_noLocks func publish(_ context: inout RenderContext) {
        let board = context.link.board
        var phase: Int64 = wantsToPlay ? 2 : isStopped ? 0 : 1
        var deck = heads.heldDeck
        var position = heldPosition
        if current >= 0 {
            phase = 3
            deck = heads[current].deck
            position = readings[current].position(at: context.now)
        } else if deck < 0 {
            phase = wantsToPlay ? 2 : 0
        }
        board.set(StateLayout.playlistPhase, phase)
        board.set(StateLayout.playlistDeck, Int64(deck))
        board.set(StateLayout.playlistPosition, position)
        board.set(StateLayout.playlistItem, Int64(item.rawValue))
        board.set(StateLayout.playlistTurn, Int64(turn))
        board.set(StateLayout.playlistOrigin, origin)
        board.set(StateLayout.playlistUnderruns, underruns)
    }
}
