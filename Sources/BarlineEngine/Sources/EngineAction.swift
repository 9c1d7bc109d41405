/// What the control side asks of the audio thread: an action of one of the renderer's parts.
enum EngineAction: BitwiseCopyable, @unchecked Sendable {
    case transport(Timeline.Action)
    case mixer(Mixer.Action)
    /// An effect of a channel of the mixer, or of a bus.
    case effect(chain: Int, Chain.Action)

    // The sources.
    case inputs(Inputs.Action)
    case launcher(Launcher.Action)
    case metronome(Metronome.Action)
    case playlist(Playlist.Action)
    case sampler(Sampler.Action)
    case stems(Stems.Action)
}
