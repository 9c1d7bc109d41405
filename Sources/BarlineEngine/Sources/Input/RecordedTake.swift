import BarlineDSP
import BarlineTime

/// The place on the timeline at which a take was recorded.
public struct TakeStart: Hashable, Sendable {
    /// The timeline frame of its first frame.
    public let frame: FrameTime
    /// The latency, in frames: how much later that frame was delivered.
    public let latency: Int
    /// The sample rate of its audio.
    public let sampleRate: SampleRate
    /// The number of jumps of the device's clock during the take: each has left silence of the missing length.
    public let gaps: Int
}

/// A take of known length.
public struct RecordedTake: Hashable, Sendable {
    /// The range of its frames that is the take; half a second is kept before and after.
    public let region: Range<Int>
    /// Its length in quarter notes.
    public let beats: Double
    /// Where it was recorded.
    public let start: TakeStart
    /// The frame aligned with the boundary of a launch, counted from the region's first one: not 0 for layers that
    /// begin within their loop.
    public let firstBeat: Int
    /// The tempo that its length has made; `nil` where that was known before.
    public let tempo: Tempo?
}
