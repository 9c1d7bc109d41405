import BarlineTime

/// The list of sources on the audio thread, in the order in which they run, and the only place that distinguishes them.
///
/// A new source is a case. All else that depends on the list differs by the case's name only and is made of the cases:
/// the compiler sees that a `switch` over an enumeration takes no lock, which it can't see of a generic or an
/// existential.
enum AnySource: BitwiseCopyable, @unchecked Sendable {
    case inputs(UnsafeMutablePointer<Inputs>)
    case launcher(UnsafeMutablePointer<Launcher>)
    case metronome(UnsafeMutablePointer<Metronome>)
    case playlist(UnsafeMutablePointer<Playlist>)
    case sampler(UnsafeMutablePointer<Sampler>)
    case stems(UnsafeMutablePointer<Stems>)

    /// All sources, in the order in which they run, for the control side.
    static var kinds: [SourceKind] {
        [
            // Made of the cases: kinds.
            SourceKind(AnySource.inputs),
            SourceKind(AnySource.launcher),
            SourceKind(AnySource.metronome),
            SourceKind(AnySource.playlist),
            SourceKind(AnySource.sampler),
            SourceKind(AnySource.stems),
            // End.
        ]
    }

    @_noLocks func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch self {
        // Made of the cases: requests.
        case .inputs(let source): source.pointee.answer(request, &context)
        case .launcher(let source): source.pointee.answer(request, &context)
        case .metronome(let source): source.pointee.answer(request, &context)
        case .playlist(let source): source.pointee.answer(request, &context)
        case .sampler(let source): source.pointee.answer(request, &context)
        case .stems(let source): source.pointee.answer(request, &context)
        // End.
        }
    }

    /// Performs an action, if it is one of its own.
    @_noLocks func perform(_ action: EngineAction, at frame: FrameTime, _ context: inout RenderContext) {
        switch (self, action) {
        // Made of the cases: actions.
        case (.inputs(let source), .inputs(let action)): source.pointee.perform(action, at: frame, &context)
        case (.launcher(let source), .launcher(let action)): source.pointee.perform(action, at: frame, &context)
        case (.metronome(let source), .metronome(let action)): source.pointee.perform(action, at: frame, &context)
        case (.playlist(let source), .playlist(let action)): source.pointee.perform(action, at: frame, &context)
        case (.sampler(let source), .sampler(let action)): source.pointee.perform(action, at: frame, &context)
        case (.stems(let source), .stems(let action)): source.pointee.perform(action, at: frame, &context)
        // End.
        default: break
        }
    }
}

/// A command's action: one of the timeline, the mixer or a source.
enum EngineAction: BitwiseCopyable, @unchecked Sendable {
    case transport(Timeline.Action)
    case mixer(Mixer.Action)
    /// A command to an effect of a mixer channel or bus.
    case effect(chain: Int, Chain.Action)
    // Made of the sources: commands.
    case inputs(Inputs.Action)
    case launcher(Launcher.Action)
    case metronome(Metronome.Action)
    case playlist(Playlist.Action)
    case sampler(Sampler.Action)
    case stems(Stems.Action)
    // End.
}
