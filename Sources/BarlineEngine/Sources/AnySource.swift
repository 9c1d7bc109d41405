/// The list of sources on the audio thread, and the only place that distinguishes them.
enum AnySource: BitwiseCopyable, @unchecked Sendable {
    case inputs(UnsafeMutablePointer<Inputs>)
    case launcher(UnsafeMutablePointer<Launcher>)
    case metronome(UnsafeMutablePointer<Metronome>)
    case playlist(UnsafeMutablePointer<Playlist>)
    case sampler(UnsafeMutablePointer<Sampler>)
    case stems(UnsafeMutablePointer<Stems>)

    @_noLocks func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch self {
        case .inputs(let source): source.pointee.answer(request, &context)
        case .launcher(let source): source.pointee.answer(request, &context)
        case .metronome(let source): source.pointee.answer(request, &context)
        case .playlist(let source): source.pointee.answer(request, &context)
        case .sampler(let source): source.pointee.answer(request, &context)
        case .stems(let source): source.pointee.answer(request, &context)
        }
    }
}

extension SourceMaker {
    /// Creates all sources, in the order in which they run.
    mutating func makeAll() -> [AnySource] {
        [
            .inputs(make()), .launcher(make()), .metronome(make()), .playlist(make()), .sampler(make()),
            .stems(make()),
        ]
    }
}
