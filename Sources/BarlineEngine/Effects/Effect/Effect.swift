import BarlineDSP
import BarlineTime

/// An insert effect of the mixer: a value in memory that the control side allocates and frees, run by the audio thread.
/// To add one: its folder, with a type like the filter's, and its case in ``AnyEffect``, the list of effects, of which
/// the dispatch is made (`make reference`).
///
/// The protocol lets the compiler check each effect; the audio thread never calls through it.
protocol Effect: BitwiseCopyable {
    /// The name shown to people.
    static var title: String { get }
    /// The parameters, by index.
    static var parameters: [ParameterDescription] { get }
    /// The latency of the effect, in frames.
    static func latencyFrames(at sampleRate: SampleRate) -> Int
    /// Creates an effect in its reset state. `values` are those of all parameters.
    init(_ values: [Double], sampleRate: SampleRate)
    /// Frees the effect's own memory, once the audio thread has retired it.
    func deallocate()
    /// Performs a request, or answers it; after processing, returns whether the effect is idle: silence would come out
    /// as silence, and no parameter is ramping.
    @_noLocks mutating func run(_ request: EffectRequest) -> Bool
}

/// A request of the audio thread to an effect.
enum EffectRequest: BitwiseCopyable {
    /// Processes `count` frames in place, none of which is beyond the next multiple of ``EffectBlock/frameCount``.
    case process(StereoBuffer, from: FrameTime, count: Int)
    /// Ramps a parameter to a target over so many frames, along a curve.
    case set(parameter: Int, target: Double, at: FrameTime, frames: Int64, Curve)
    /// Clears the effect's state.
    case reset
    /// Continues at another sample rate from a frame on; what is left of ramps keeps its duration in seconds.
    case prepare(SampleRate, at: FrameTime)
    /// Whether the invariants hold.
    case checkInvariants
}
