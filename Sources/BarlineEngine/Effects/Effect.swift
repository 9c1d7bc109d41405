import BarlineDSP
import BarlineTime

/// An insert effect of the mixer: a value in memory that the control side allocates and frees, run by the audio
/// thread. To add one: its folder, with a type like ``StateVariableFilter``, a case and its line in ``AnyEffect``, and a
/// case and its line in ``EffectKind``.
///
/// It is a list that the compiler checks; the audio thread never calls through it.
protocol Effect: BitwiseCopyable {
    /// What can be set, by number.
    static var parameters: [ParameterDescription] { get }
    /// How many frames later the sound comes out.
    static func latencyFrames(at sampleRate: SampleRate) -> Int
    /// Makes an effect that has heard silence. `values` are those of all parameters.
    init(_ values: [Double], sampleRate: SampleRate)
    /// Frees what the effect points to, when the audio thread no longer has it.
    func deallocate()
    /// The effect behind `pointer` as one of the list.
    static func erased(_ pointer: UnsafeMutablePointer<Self>) -> AnyEffect
    /// Does what is asked, or answers it; after sound was processed, whether it is at rest: silence would come out as silence, and no
    /// parameter is on its way.
    @_noLocks mutating func run(_ request: EffectRequest) -> Bool
}

/// A request of the audio thread to an effect.
enum EffectRequest: BitwiseCopyable {
    /// To work on `count` frames in place, none of which is behind the next multiple of ``EffectBlock/frameCount``.
    case process(StereoBuffer, from: FrameTime, count: Int)
    /// To send a parameter to a target over so many frames, along a curve.
    case set(parameter: Int, target: Double, at: FrameTime, frames: Int64, Curve)
    /// To forget what it has heard.
    case reset
    /// To go on at another sample rate.
    case prepare(SampleRate)
    /// Whether it agrees with itself.
    case checkInvariants
}

/// The one list of effects, as the audio thread has them.
enum AnyEffect: BitwiseCopyable, @unchecked Sendable {
    case filter(UnsafeMutablePointer<StateVariableFilter>)

    @_noLocks func run(_ request: EffectRequest) -> Bool {
        switch self {
        case .filter(let effect): effect.pointee.run(request)
        }
    }
}

/// The one list of effects, as the control side and files have them.
public enum EffectKind: String, CaseIterable, Hashable, Sendable {
    /// A state-variable filter: `cutoff`, `resonance`, `mode`.
    case filter

    var type: any Effect.Type {
        switch self {
        case .filter: StateVariableFilter.self
        }
    }

    /// What can be set, by number.
    public var parameters: [ParameterDescription] { type.parameters }

    /// How many frames later the sound comes out.
    public func latencyFrames(at sampleRate: SampleRate) -> Int { type.latencyFrames(at: sampleRate) }
}
