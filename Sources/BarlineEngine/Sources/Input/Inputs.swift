import BarlineTime

/// What devices give, on the audio thread: opens and closes inputs. What they have given is in the context's ``Capture``,
/// where recordings and monitors find it.
struct Inputs: ~Copyable, Source, @unchecked Sendable {
    @_noLocks init() {}

    @_noLocks mutating func run(_ phase: Phase, _ context: inout RenderContext) {}

    @_noLocks mutating func perform(_ action: Action, at frame: FrameTime, _ context: inout RenderContext) {
        switch action {
        case .open(let input, let ring):
            if let old = context.capture.exchange(ring, of: input) { context.retire(UnsafeRawPointer(old)) }
        case .close(let input):
            if let old = context.capture.exchange(nil, of: input) { context.retire(UnsafeRawPointer(old)) }
        case .latency(let input, let frames): context.capture.setLatency(frames, of: input)
        case .gain(let input, let gain):
            context.capture.setGain(gain, of: input, at: context.now, fadeFrames: context.fadeFrames)
        }
    }

    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext) {}

    var holdsBeats: Bool { @_noLocks get { false } }

    @_noLocks func isReading(_ content: UnsafeRawPointer, at now: FrameTime) -> Bool { false }

    @_noLocks func checkInvariants() -> Bool { true }
}
