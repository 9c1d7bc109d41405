import BarlineDSP

/// Publishing the playlist for displays.
extension Playlist {
    /// The playlist at the end of a block.
    struct Snapshot: BitwiseCopyable {
        let phase: EngineState.Playlist.Phase
        /// The deck that plays or is held, or −1; and the position.
        let deck: Int
        let position: Int64
        let item: PlaylistItemID
        let playNumber: Int
        let origin: Double
        let underruns: Int64
        let endCount: Int64
        let endedDeck: Int
        let pauseCount: Int64
        let lastStart: Int
    }

    @_noLocks func publish(_ context: inout RenderContext) {
        var phase = EngineState.Playlist.Phase.paused
        if wantsToPlay { phase = .waiting } else if isStopped { phase = .stopped }
        var deck = heads.heldDeck
        var position = heldPosition
        if current >= 0 {
            phase = .playing
            deck = heads[current].deck
            position = readings[current].position(at: context.now)
        } else if deck < 0 {
            phase = wantsToPlay ? .waiting : .stopped
        }
        context.note(isBusy: current >= 0 || wantsToPlay)
        context.link.board.put(
            Snapshot(
                phase: phase, deck: deck, position: position, item: item, playNumber: playNumber, origin: origin,
                underruns: underruns, endCount: endCount, endedDeck: endedDeck,
                pauseCount: pauseCount, lastStart: lastStart),
            at: place)
    }
}

extension EngineState.Playlist {
    init(_ playlist: Playlist.Snapshot, _ timeline: Timeline.Snapshot) {
        phase = playlist.phase
        deck = playlist.deck
        framePosition = playlist.position
        playNumber = playlist.playNumber
        item = playlist.item
        origin = playlist.origin
        sampleRate = timeline.sampleRate
        underrunCount = Int(playlist.underruns)
        endCount = playlist.endCount
        endedDeck = playlist.endedDeck
        pauseCount = playlist.pauseCount
        lastStart = playlist.lastStart
        frame = timeline.frame
    }
}
