import BarlineDSP
import BarlineTime

/// The state as it is read from the board.
extension EngineState {
    init(_ board: BoardCopy, _ places: BoardPlaces, _ configuration: EngineConfiguration) {
        let timeline = board[places.timeline]
        frame = timeline.frame
        sampleRate = timeline.sampleRate
        transport = Transport(timeline)
        let strips = (0..<configuration.channelCount).map { Strip(board[places.channels, $0]) }
        tracks = (0..<configuration.trackCount).map { index in
            Track(board[places.tracks, index], now: timeline.frame, strip: strips[index])
        }
        let layout = configuration.channelLayout
        metronome = strips[layout.metronome]
        playlistStrip = strips[layout.playlist]
        padStrip = strips[layout.pads]
        stems = Array(strips[configuration.firstStemChannel...])
        let beats = board[places.metronome]
        isMetronomeOn = beats.isEnabled
        recentBeats = (0..<beats.recentCount).map { UpcomingBeat(board[places.beats, $0]) }
        upcomingBeats = (0..<beats.upcomingCount).map { UpcomingBeat(board[places.beats, beats.recentCount + $0]) }
        inputs = (0..<configuration.inputCapacity).map { board[places.inputs, $0] }
        pads = (0..<configuration.padCapacity).map { Pad(board[places.pads, $0]) }
        buses = (0..<configuration.busCount).map { board[places.buses, $0].meter }
        limiters = (0..<(configuration.limiter == nil ? 0 : configuration.busCount)).map { index in
            board[places.buses, index].limiter
        }
        multitrack = Multitrack(board[places.stems])
        playlist = Playlist(board[places.playlist], timeline)
        voicesInUse = board[places.launcher].voicesInUse + board[places.sampler].voicesInUse
        areEffectsActive = board[places.mixer].areEffectsActive
    }
}
