import BarlineDSP
import BarlineTime
import Synchronization

/// The turn of a loop that a layer is recorded over, on the audio thread.
struct LayerTurn: BitwiseCopyable, @unchecked Sendable {
    /// The loop; `nil` for a take that is no layer, or not begun.
    var bed: UnsafePointer<ClipContent>?
    /// Where in the loop the layer's first frame is, and how far apart its frames are there.
    var start = SourcePosition(rawValue: 0)
    var step = SourcePosition(1)
    var rate = 1.0
    /// The level at which the loop goes on sounding in what is recorded over it.
    var feedback: Float = 1
    /// The frame of the timeline that the layer's first frame belongs at, and its beat.
    var origin = FrameTime(rawValue: 0)
    var beat = Beat(rawValue: 0)
    /// The turn's frames.
    var length: Int64 = 0
    /// What falls on the boundary of a launch, in frames and in quarter notes from the layer's first frame on.
    var firstFrame: Int64 = 0
    var firstBeat = 0.0
    /// Where the turn is over.
    var end = FrameTime(rawValue: .max)
    var endBeat = Beat(rawValue: 0)
    /// Frames that the input is recorded over; all while the end is open.
    var recorded = Int64.max
    /// The frame of the layer at which nothing is heard of the input any more.
    var inputEnd = Int64.max
    /// From when on what is left of the turn is copied, where only a part of it is recorded over.
    var restFrom = FrameTime(rawValue: .max)
    /// The frame by which all of the loop is there.
    var bedReady = FrameTime(rawValue: .min)
    /// Whether it is not to be heard.
    var isDropped = false
    /// Whether nothing is recorded: the loop is changed as a whole, and heard from ``end`` on.
    var isChange = false
    var change = LoopChange.multiply
    /// The loop's frames, and its length in quarter notes after the change.
    var bedLength: Int64 = 0
    var beats = 0.0

    @_noLocks init() {}

    /// Whether a part of the turn only is recorded over.
    var isPart: Bool { @_noLocks get { recorded < length } }

    /// Whether it is recorded over `content`.
    @_noLocks func isOver(_ content: UnsafeRawPointer) -> Bool {
        if let bed { return UnsafeRawPointer(bed) == content }
        return false
    }
}

/// A flag for the control side: whether a layer is the one of its clip that plays.
struct HeardFlag: ~Copyable {
    let isHeard = Atomic<Bool>(false)
}

/// The layers beside one of a loop.
struct LayerLinks: BitwiseCopyable, @unchecked Sendable {
    /// How many layers of a loop can be undone.
    static var depth: Int { @_noLocks get { 64 } }

    /// What it was recorded over; `nil` where that is not known any more.
    var below: UnsafePointer<ClipContent>?
    /// What was recorded over it last, and undone since.
    var above: UnsafePointer<ClipContent>?
    /// Where the control side sees whether it is the layer that plays.
    var heard: UnsafePointer<HeardFlag>?

    @_noLocks init() {}
}
