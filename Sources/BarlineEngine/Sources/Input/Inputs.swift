import BarlineDSP
import BarlineTime

/// What devices give, on the audio thread: opens and closes inputs. What they have given is in the context's ``Capture``,
/// where recordings and monitors find it.
struct Inputs: ~Copyable, Source, @unchecked Sendable {
    // Behind a pointer, because ThreadSanitizer takes the first property for the address that is written to, and the compiler ends where it is
    // none (Swift 6.3.1).
    private let place: UnsafeMutablePointer<BoardPlace<MeterReading>>

    /// The inputs of an engine, whose levels are published at `place`.
    init(place: BoardPlace<MeterReading>) {
        self.place = .allocate(capacity: 1)
        self.place.initialize(to: place)
    }

    deinit { place.deallocate() }

    @_noLocks mutating func run(_ phase: Phase, _ context: inout RenderContext) {
        switch phase {
        case .fill(let slice): context.capture.measure(slice)
        case .publish:
            for input in 0..<context.capture.inputCapacity {
                context.link.board.put(context.capture.reading(of: input), at: place.pointee, input)
            }
        case .ends, .boundaries, .wraps, .leadIns, .streams, .clicks, .wake, .pass: break
        }
    }

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
