import BarlineTime

/// Something that sounds: what the renderer asks of each of its parts. It is a check list, not a type to call through:
/// ``AnySource`` dispatches, for the compiler can't see that an existential or a generic takes no lock.
protocol Source: ~Copyable {
    /// Does what belongs into a phase of the present frame.
    @_noLocks mutating func run(_ phase: Phase, _ context: inout RenderContext)
    /// What the control side asks of it.
    associatedtype Action: BitwiseCopyable
    /// Performs an action that was for `frame`, which is now or, for a late one, before.
    @_noLocks mutating func perform(_ action: Action, at frame: FrameTime, _ context: inout RenderContext)
    /// Works out anew what followed from the timeline as it was.
    @_noLocks mutating func retime(_ retiming: Retiming, _ context: inout RenderContext)
    /// Whether it plays, or waits to play, something that lies on the beats.
    var holdsBeats: Bool { @_noLocks get }
    /// Whether it still reads content that was taken away.
    @_noLocks func isReading(_ content: UnsafeRawPointer, at now: FrameTime) -> Bool
    /// Whether what is derived agrees with what it is derived from.
    @_noLocks func checkInvariants() -> Bool
}
