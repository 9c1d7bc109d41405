import BarlineDSP
import BarlineTime

/// Reading the state from the board.
extension EngineState {
    init(_ board: BoardSnapshots, _ configuration: EngineConfiguration) {
        let timeline = board[Timeline.Snapshot.self]
        frame = timeline.frame
        sampleRate = timeline.sampleRate
        transport = Transport(timeline)
        let strips = board.row(ChannelSnapshot.self).map { Strip($0) }
        tracks = zip(board.row(TrackSnapshot.self), strips).map { Track($0, now: timeline.frame, strip: $1) }
        metronome = strips[configuration.index(of: .metronome)]
        playlistStrip = strips[configuration.index(of: .playlist)]
        stems = Array(strips[configuration.firstStemChannel...])
        let beats = board[Metronome.Snapshot.self]
        let pulses = board.row(BeatSnapshot.self).map { UpcomingBeat($0) }
        isMetronomeOn = beats.isEnabled
        recentBeats = Array(pulses.prefix(beats.recentCount))
        upcomingBeats = Array(pulses.dropFirst(beats.recentCount).prefix(beats.upcomingCount))
        inputs = board.row(MeterReading.self)
        buses = board.row(BusSnapshot.self).map(\.meter)
        limiters = configuration.limiter == nil ? [] : board.row(BusSnapshot.self).map(\.limiter)
        multitrack = EngineState.Multitrack(board[Stems.Snapshot.self])
        playlist = EngineState.Playlist(board[BarlineEngine.Playlist.Snapshot.self], timeline)
        voicesInUse = board[Renderer.Snapshot.self].voicesInUse
        areEffectsActive = board[Mixer.Snapshot.self].areEffectsActive
        parts = PartStates(AnySource.kinds.compactMap(\.shown).map { $0.init(board, configuration) })
    }
}
