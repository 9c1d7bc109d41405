import BarlineDSP
import BarlineTime

/// The pass of a loop over which a layer is recorded, on the audio thread.
struct LayerTurn: BitwiseCopyable, @unchecked Sendable {
    /// The base layer: the loop recorded over; `nil` for a take that is not a layer, or has not begun.
    var bed: UnsafePointer<ClipContent>?
    /// The position in the loop of the layer's first frame, and the distance of its frames there.
    var start = SourcePosition(rawValue: 0)
    var step = SourcePosition(1)
    var rate = 1.0
    /// The level at which the loop is mixed into the layer.
    var feedback: Float = 1
    /// The timeline frame of the layer's first frame, and its beat.
    var origin = FrameTime(rawValue: 0)
    var beat = Beat(rawValue: 0)
    /// The length of the pass, in frames.
    var length: Int64 = 0
    /// The position aligned with the boundary of a launch, in frames and in quarter notes from the layer's first frame
    /// on.
    var firstFrame: Int64 = 0
    var firstBeat = 0.0
    /// The frame at which the pass ends.
    var end = FrameTime(rawValue: .max)
    var endBeat = Beat(rawValue: 0)
    /// The number of frames over which the input is recorded; unlimited while the end is open.
    var recorded = Int64.max
    /// The frame of the layer from which on the input is silent.
    var inputEnd = Int64.max
    /// The frame from which on the rest of the pass is copied, if only a part of it is recorded over.
    var restFrom = FrameTime(rawValue: .max)
    /// The frame by which the base layer is complete.
    var bedReady = FrameTime(rawValue: .min)
    /// Whether it never becomes audible.
    var isDropped = false
    /// Whether nothing is recorded: the whole loop is changed, and the result becomes audible at ``end``.
    var isChange = false
    var change = LoopChange.multiply
    /// The length of the base layer in frames, and that of the loop in quarter notes after the change.
    var bedLength: Int64 = 0
    var beats = 0.0

    @_noLocks init() {}

    /// Whether only a part of the pass is recorded over.
    var isPart: Bool { @_noLocks get { recorded < length } }

    /// Whether it is recorded over `content`.
    @_noLocks func isOver(_ content: UnsafeRawPointer) -> Bool {
        if let bed { return UnsafeRawPointer(bed) == content }
        return false
    }
}
