import BarlineDSP
import BarlineTime

/// The inputs on the audio thread: opens and closes them. Their captured audio is in the context's ``Capture``, where
/// recordings and monitors read it.
struct Inputs: ~Copyable, Source, @unchecked Sendable {
    // Behind a pointer, because ThreadSanitizer takes the first property as the address written to, and the compiler
    // crashes if it is not a pointer (Swift 6.3.1).
    private let place: UnsafeMutablePointer<BoardPlace<MeterReading>>

    init(_ setup: inout SourceSetup) {
        place = .allocate(capacity: 1)
        place.initialize(to: setup.places.claim(MeterReading.self, count: setup.configuration.inputCapacity))
    }

    deinit { place.deallocate() }

    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int {
        switch request {
        case .run(let phase): run(phase, &context)
        case .retime, .holdsBeats, .isReading, .countSheddable, .shed, .countFaults: break
        }
        return 0
    }

    @_noLocks private func run(_ phase: Phase, _ context: inout RenderContext) {
        switch phase {
        case .fill(let slice): context.capture.measure(slice)
        case .publish:
            for input in 0..<context.capture.inputCapacity {
                context.link.board.put(context.capture.reading(of: input), at: place.pointee, input)
            }
        case .ends, .boundaries, .wraps, .leadIns, .streams, .clicks, .wake, .pass: break
        }
    }

    @_noLocks func perform(_ action: Inputs.Action, at frame: FrameTime, _ context: inout RenderContext) {
        switch action {
        case .open(let input, let ring, let source):
            if let old = context.capture.exchange(ring, of: input) { context.retire(UnsafeRawPointer(old)) }
            exchange(source, of: input, &context)
        case .close(let input):
            if let old = context.capture.exchange(nil, of: input) { context.retire(UnsafeRawPointer(old)) }
            exchange(.device, of: input, &context)
        case .latency(let input, let frames): context.capture.setLatency(frames, of: input)
        case .gain(let input, let gain):
            context.capture.setGain(gain, of: input, at: context.now, fadeFrames: context.fadeFrames)
        case .signal(let input, let signal): context.capture.setSignal(signal, of: input)
        case .record(let taps): context.exchange(taps)
        }
    }

    @_noLocks private func exchange(_ source: InputSource, of input: Int, _ context: inout RenderContext) {
        context.mixer.count(-1, of: context.capture.source(of: input))
        context.mixer.count(1, of: source)
        context.capture.setSource(source, of: input)
    }
}
