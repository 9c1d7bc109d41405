import BarlineDSP
import BarlineTime

/// The place on the timeline at which a take was recorded.
public struct TakeStart: Hashable, Sendable {
    /// The frame that its first frame belongs at.
    public let frame: FrameTime
    /// How many frames later that one was delivered.
    public let latency: Int
    /// The rate of its samples.
    public let sampleRate: SampleRate
    /// How often the device's clock jumped meanwhile: each has left silence of the length that is missing.
    public let gaps: Int
}

/// A take that has its length.
public struct RecordedTake: Hashable, Sendable {
    /// The frames of its samples that are the take; half a second is kept before and after them.
    public let region: Range<Int>
    /// Its length in quarter notes.
    public let beats: Double
    /// Where it was recorded.
    public let start: TakeStart
    /// The frame that falls on the boundary of a launch, counted from the region's first one: not 0 for layers that begin within their loop.
    public let firstBeat: Int
}
