import BarlineDSP

/// Where on an engine's board the snapshots of its parts are: first those of the parts, then the rows of tracks, buses
/// and others. What a snapshot has is declared by the part that it is of.
struct BoardPlaces: BitwiseCopyable, Sendable {
    let timeline: BoardPlace<Timeline.Snapshot>
    let launcher: BoardPlace<Launcher.Snapshot>
    let metronome: BoardPlace<Metronome.Snapshot>
    let playlist: BoardPlace<Playlist.Snapshot>
    let sampler: BoardPlace<Sampler.Snapshot>
    let stems: BoardPlace<Stems.Snapshot>
    let mixer: BoardPlace<Mixer.Snapshot>
    /// Beats that were played, then those that come.
    let beats: BoardPlace<BeatSnapshot>
    let tracks: BoardPlace<TrackSnapshot>
    let channels: BoardPlace<ChannelSnapshot>
    let buses: BoardPlace<BusSnapshot>
    let pads: BoardPlace<PadState>
    let inputs: BoardPlace<MeterReading>

    /// The parts without their rows.
    let parts: BoardSize
    /// Everything.
    let all: BoardSize

    init(_ configuration: EngineConfiguration) {
        var size = BoardSize()
        timeline = BoardPlace(in: &size)
        launcher = BoardPlace(in: &size)
        metronome = BoardPlace(in: &size)
        playlist = BoardPlace(in: &size)
        sampler = BoardPlace(in: &size)
        stems = BoardPlace(in: &size)
        mixer = BoardPlace(in: &size)
        parts = size
        beats = BoardPlace(in: &size, count: 2 * BeatPlan.beatCount)
        tracks = BoardPlace(in: &size, count: configuration.trackCount)
        channels = BoardPlace(in: &size, count: configuration.channelCount)
        buses = BoardPlace(in: &size, count: configuration.busCount)
        pads = BoardPlace(in: &size, count: configuration.padCapacity)
        inputs = BoardPlace(in: &size, count: configuration.inputCapacity)
        all = size
    }
}
