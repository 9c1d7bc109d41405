/// A command's action: one of the timeline, the mixer or a source.
enum EngineAction: BitwiseCopyable, @unchecked Sendable {
    case transport(Timeline.Action)
    case mixer(Mixer.Action)
    /// A command to an effect of a mixer channel or bus.
    case effect(chain: Int, Chain.Action)

    // The sources.
    case inputs(Inputs.Action)
    case launcher(Launcher.Action)
    case metronome(Metronome.Action)
    case playlist(Playlist.Action)
    case sampler(Sampler.Action)
    case stems(Stems.Action)
}
