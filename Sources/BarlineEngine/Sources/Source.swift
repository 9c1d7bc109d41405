import BarlineTime

/// Something that sounds: what the renderer asks of each of its parts. To add one: its folder, with a type like
/// ``Sampler``, its case with its line in ``AnySource``, and its case in ``EngineAction``.
///
/// It is a check list, not a type to call through: ``AnySource`` dispatches, for the compiler can't see that an
/// existential or a generic takes no lock.
protocol Source: ~Copyable {
    /// What the control side asks of it.
    associatedtype Action: BitwiseCopyable
    /// Makes a source that is silent, on the control side.
    init(_ setup: inout SourceSetup)
    /// Does what is asked, or answers it; 0 where it has no part in that.
    @_noLocks mutating func answer(_ request: SourceRequest, _ context: inout RenderContext) -> Int
}

/// A request of the audio thread to a source.
enum SourceRequest: BitwiseCopyable {
    /// To do what belongs into a phase of the present frame. Within a phase the sources run in their order.
    case run(Phase)
    /// To perform an action, if it is one of its own, that was for `at`: the present frame or, for a late one, before.
    case perform(EngineAction, at: FrameTime)
    /// To work out anew what followed from the timeline as it was.
    case retime(Retiming)
    /// Whether it plays, or waits to play, something that lies on the beats: 1 or 0.
    case holdsBeats
    /// Whether it still reads content that was taken away: 1 or 0.
    case isReading(UnsafeRawPointer)
    /// How many of its voices may be stolen under overload.
    case countSheddable
    /// To steal so many voices at the most; how many it did.
    case shed(Int)
    /// How many of the things that should agree with each other do not: 0 where all is well.
    case countFaults
}
