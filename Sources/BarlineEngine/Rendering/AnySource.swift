import BarlineTime

/// The sources that there are: the one list of them, and the one place that distinguishes them.
enum AnySource: BitwiseCopyable, @unchecked Sendable {
    case inputs(UnsafeMutablePointer<Inputs>)
    case launcher(UnsafeMutablePointer<Launcher>)
    case metronome(UnsafeMutablePointer<Metronome>)
    case playlist(UnsafeMutablePointer<Playlist>)
    case sampler(UnsafeMutablePointer<Sampler>)
    case stems(UnsafeMutablePointer<Stems>)

    @_noLocks func run(_ phase: Phase, _ context: inout RenderContext) {
        switch self {
        case .inputs(let source): source.pointee.run(phase, &context)
        case .launcher(let source): source.pointee.run(phase, &context)
        case .metronome(let source): source.pointee.run(phase, &context)
        case .playlist(let source): source.pointee.run(phase, &context)
        case .sampler(let source): source.pointee.run(phase, &context)
        case .stems(let source): source.pointee.run(phase, &context)
        }
    }

    @_noLocks func perform(_ action: EngineAction, at frame: FrameTime, _ context: inout RenderContext) {
        switch (self, action) {
        case (.inputs(let source), .inputs(let action)): source.pointee.perform(action, at: frame, &context)
        case (.launcher(let source), .launcher(let action)): source.pointee.perform(action, at: frame, &context)
        case (.metronome(let source), .metronome(let action)): source.pointee.perform(action, at: frame, &context)
        case (.playlist(let source), .playlist(let action)): source.pointee.perform(action, at: frame, &context)
        case (.sampler(let source), .sampler(let action)): source.pointee.perform(action, at: frame, &context)
        case (.stems(let source), .stems(let action)): source.pointee.perform(action, at: frame, &context)
        default: break
        }
    }

    @_noLocks func retime(_ retiming: Retiming, _ context: inout RenderContext) {
        switch self {
        case .inputs(let source): source.pointee.retime(retiming, &context)
        case .launcher(let source): source.pointee.retime(retiming, &context)
        case .metronome(let source): source.pointee.retime(retiming, &context)
        case .playlist(let source): source.pointee.retime(retiming, &context)
        case .sampler(let source): source.pointee.retime(retiming, &context)
        case .stems(let source): source.pointee.retime(retiming, &context)
        }
    }

    var holdsBeats: Bool {
        @_noLocks get {
            switch self {
            case .inputs(let source): source.pointee.holdsBeats
            case .launcher(let source): source.pointee.holdsBeats
            case .metronome(let source): source.pointee.holdsBeats
            case .playlist(let source): source.pointee.holdsBeats
            case .sampler(let source): source.pointee.holdsBeats
            case .stems(let source): source.pointee.holdsBeats
            }
        }
    }

    @_noLocks func isReading(_ content: UnsafeRawPointer, at now: FrameTime) -> Bool {
        switch self {
        case .inputs(let source): source.pointee.isReading(content, at: now)
        case .launcher(let source): source.pointee.isReading(content, at: now)
        case .metronome(let source): source.pointee.isReading(content, at: now)
        case .playlist(let source): source.pointee.isReading(content, at: now)
        case .sampler(let source): source.pointee.isReading(content, at: now)
        case .stems(let source): source.pointee.isReading(content, at: now)
        }
    }

    @_noLocks func checkInvariants() -> Bool {
        switch self {
        case .inputs(let source): source.pointee.checkInvariants()
        case .launcher(let source): source.pointee.checkInvariants()
        case .metronome(let source): source.pointee.checkInvariants()
        case .playlist(let source): source.pointee.checkInvariants()
        case .sampler(let source): source.pointee.checkInvariants()
        case .stems(let source): source.pointee.checkInvariants()
        }
    }

    func deallocate() {
        switch self {
        case .inputs(let source):
            source.deinitialize(count: 1)
            source.deallocate()
        case .launcher(let source):
            source.deinitialize(count: 1)
            source.deallocate()
        case .metronome(let source):
            source.deinitialize(count: 1)
            source.deallocate()
        case .playlist(let source):
            source.deinitialize(count: 1)
            source.deallocate()
        case .sampler(let source):
            source.deinitialize(count: 1)
            source.deallocate()
        case .stems(let source):
            source.deinitialize(count: 1)
            source.deallocate()
        }
    }
}
