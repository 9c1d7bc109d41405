import BarlineTime

/// A source of sound: the requests that the renderer makes of each of its parts. To add one: its folder, with a type
/// like the sampler's, and its case in ``AnySource``, the list of sources, of which the dispatch is made
/// (`make reference`). If it has events, a case in ``EngineEvent/Kind``.
///
/// The protocol lets the compiler check each source, but is never called through: ``AnySource`` dispatches, because the
/// compiler can't prove that an existential or a generic takes no lock.
protocol Source: ~Copyable {
    /// The commands of the control side.
    associatedtype Action: BitwiseCopyable
    /// Its channel of the mixer; `nil` if it has none of its own.
    static var strip: Channel? { get }
    /// Its state for displays, apart from what ``EngineState`` has itself.
    static var shown: (any PartState.Type)? { get }
    /// Creates a silent source, on the control side.
    init(_ setup: inout SourceSetup)
    /// Performs a request, or answers it; 0 if it does not apply.
    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int
    /// Performs an action scheduled for `frame`: the present frame or, if late, before.
    @_noLocks mutating func perform(_ action: Action, at frame: FrameTime, _ context: inout RenderContext)
}

extension Source where Self: ~Copyable {
    static var strip: Channel? { nil }
    static var shown: (any PartState.Type)? { nil }
}

/// A request of the audio thread to a source.
enum SourceRequest: BitwiseCopyable {
    /// Performs a phase of the present frame. Within a phase the sources run in their order.
    case run(Phase)
    /// Recomputes everything derived from the former timeline.
    case retime(Retiming)
    /// Whether it plays, or waits to play, something that lies on the beats: 1 or 0.
    case holdsBeats
    /// Whether it still reads retired content: 1 or 0.
    case isReading(UnsafeRawPointer)
    /// The number of its voices that may be stolen under overload.
    case countSheddable
    /// Steals so many voices at most; returns how many it did.
    case shed(Int)
    /// Number of violated invariants; 0 when all hold.
    case countFaults
}
